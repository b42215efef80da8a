// The thread that a fit runs on, and the caller's wait for it.
#include "bindings/worker.hpp"

#include <chrono>
#include <utility>

#include "ravi/error.hpp"

namespace ravi::python {
namespace py = pybind11;
namespace {

// How late Ctrl-C is heard and a line of progress is shown, at the most.
constexpr std::chrono::milliseconds kPatience{50};

}  // namespace

void Worker::say(std::string_view text) {
  const std::lock_guard guard(mutex_);
  text_ += text;
}

bool Worker::wait() {
  std::unique_lock guard(mutex_);
  return ended_.wait_for(guard, kPatience, [&] { return done_; });
}

std::string Worker::take_text() {
  const std::lock_guard guard(mutex_);
  return std::exchange(text_, {});
}

void Worker::look_after(const py::object& write) {
  for (bool done = false; !done;) {
    {
      const py::gil_scoped_release unlocked;
      done = wait();
    }
    // Ctrl-C shows where Python runs next, which may be in the middle of write().
    try {
      if (const std::string text = take_text(); !text.empty()) write(text);
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (const py::error_already_set& error) {
      if (stop_requested || !error.matches(PyExc_KeyboardInterrupt)) throw;
      stop_requested = true;
    }
  }
}

void Worker::run(const std::function<void()>& task, const py::object& write) {
  std::thread thread([&] {
    // One state in the interpreter for the whole task: threading.local() lasts between calls of a
    // function, and a call need not make one.
    const py::gil_scoped_acquire state;
    const py::gil_scoped_release unlocked;
    try {
      task();
    } catch (...) {
      error_ = std::current_exception();
    }
    {
      const std::lock_guard guard(mutex_);
      done_ = true;
    }
    ended_.notify_one();
  });
  const auto join = [&] {
    const py::gil_scoped_release unlocked;
    thread.join();
  };
  try {
    look_after(write);
  } catch (...) {
    stop_requested = abandoned = true;
    join();
    throw;
  }
  join();
  if (!error_) return;
  try {
    std::rethrow_exception(error_);
  } catch (const Error&) {
    if (!stop_requested) throw;
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    throw py::error_already_set();
  }
}

}  // namespace ravi::python
