// Runs a task on a thread of its own while the caller waits as Python expects: other Python threads
// run, Ctrl-C is heard, and text is written where Python writes it.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

namespace ravi::python {

// What a task and the thread that waits for it share.
class Worker {
 public:
  std::atomic<bool> stop_requested = false;  // end early, with what there is
  std::atomic<bool> abandoned = false;       // end now: nobody wants the result

  // Text for the user, from any thread.
  void say(std::string_view text);

  // Runs the task without the interpreter's lock, which the caller holds. The first
  // KeyboardInterrupt asks it to stop; a second one, or any other exception of a signal handler or
  // of write(text), abandons it and is raised when it has ended. Rethrows what the task throws; as
  // a KeyboardInterrupt when it was asked to stop and threw an error of ravi, not one of Python.
  void run(const std::function<void()>& task, const pybind11::object& write);

 private:
  bool wait();  // true: the task has ended
  std::string take_text();
  void look_after(const pybind11::object& write);

  std::mutex mutex_;
  std::condition_variable ended_;
  bool done_ = false;
  std::string text_;
  std::exception_ptr error_;
};

// A stream whose text is said at every flush.
class WorkerStream : public std::ostream {
 public:
  explicit WorkerStream(Worker& worker) : std::ostream(nullptr), buffer_(worker) {
    rdbuf(&buffer_);
  }

 private:
  class Buffer : public std::stringbuf {
   public:
    explicit Buffer(Worker& worker) : worker_(worker) {}
    int sync() override {
      worker_.say(view());
      str("");
      return 0;
    }

   private:
    Worker& worker_;
  };
  Buffer buffer_;
};

}  // namespace ravi::python
