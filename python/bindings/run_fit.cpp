// A fit on a thread of its own, as the program runs it.
#include "bindings/run_fit.hpp"

#include "algorithm/methods.hpp"
#include "algorithm/validate.hpp"
#include "bindings/worker.hpp"
#include "core/memory.hpp"
#include "model/open_model.hpp"
#include "model/reference.hpp"
#include "model/watched_model.hpp"
#include "output/terminal.hpp"

namespace ravi::python {
namespace {

// Leaves a fit that nobody waits for.
struct Abandoned : std::exception {};

std::unique_ptr<Model> open(const Request& r, Worker& worker, std::ostream& news) {
  StanOptions stan = r.display.progress ? stan_messages(news, r.display.live) : StanOptions{};
  stan.seed = static_cast<std::uint32_t>(r.options.seed);
  stan.stop_requested = &worker.stop_requested;
  return open_model(r.name, r.data, stan);
}

void fit_request(const Request& r, Worker& worker, Core& core) {
  // Two streams: a program prints from the chains' threads.
  WorkerStream news(worker), moving(worker);
  validate(r.options, r.model ? std::string() : r.name);
  std::unique_ptr<Model> opened;
  if (!r.model) opened = open(r, worker, news);
  const Model& model = r.model ? *r.model : *opened;
  if (!r.reference.empty()) core.reference = read_reference(r.reference, model);
  validate(r.options, model);
  const Options options = filled_in(r.options, model);
  ProgressDisplay display(moving, options, r.display.live, r.display.width);
  Observer observer{.stop_requested = &worker.stop_requested};
  if (r.display.progress) observer.progress = [&](const Progress& p) { display.show(p); };
  const auto until_abandoned = watched(model, [&](Index) {
    if (worker.abandoned.load(std::memory_order_relaxed)) throw Abandoned();
  });
  core.fit = fit(*until_abandoned, options, observer, core.reference ? &*core.reference : nullptr);
  core.fit.model = r.name;
  core.fit.provenance.interface = "python";
  if (!r.model) core.fit.provenance.program = program_source(r.name);
  core.fit.provenance.data = data_source(r.data);
  core.unconstrained_names = model.unconstrained_names();
  core.memory_peak_mb = memory_peak_mb();
}

}  // namespace

std::shared_ptr<Core> run_fit(const Request& request) {
  Worker worker;
  const auto core = std::make_shared<Core>();
  worker.run([&] { fit_request(request, worker, *core); }, request.display.write);
  return core;
}

}  // namespace ravi::python
