// Mini-batches from .npy files: time per iteration at ten thousand and ten million rows, memory,
// and the answer beside that of all rows.
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "algorithm/chains/chains.hpp"
#include "algorithm/methods.hpp"
#include "core/registry.hpp"
#include "core/rng.hpp"
#include "model/registry.hpp"
#include "ravi/ravi.hpp"
#include "timing.hpp"

namespace ravi {
namespace {

constexpr Index kFeatures = 10;
constexpr Index kSmall = 10000, kMiddle = 100000, kLarge = 10000000;
constexpr int kBatch = 1000, kIterations = 200, kRepetitions = 9;

// Logistic regression: features N(0, 1), beta_k = (-1)^k / 2, as numpy.save would write it.
void write_rows(const std::filesystem::path& path, Index rows) {
  std::string header = fmt::format(
      "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, kFeatures + 1);
  header.resize(117, ' ');
  std::ofstream file(path, std::ios::binary);
  file << std::string_view("\x93NUMPY\x01\x00\x76\x00", 10) << header << '\n';
  constexpr Index kChunk = 10000;
  std::vector<float> numbers(static_cast<std::size_t>(kChunk * (kFeatures + 1)));
  Vector x(kFeatures);
  for (Index begin = 0; begin < rows; begin += kChunk) {
    RandomStream stream(1, Purpose::simulate, 0, static_cast<std::uint32_t>(begin / kChunk));
    auto at = numbers.begin();
    for (Index i = 0; i < std::min(kChunk, rows - begin); ++i) {
      stream.fill_normal(x);
      double margin = 0;
      for (Index k = 0; k < kFeatures; ++k) margin += (k % 2 == 0 ? 0.5 : -0.5) * x(k);
      at = std::ranges::copy(x.cast<float>(), at).out;
      *at++ = stream.uniform() * (1 + std::exp(-margin)) < 1 ? 1 : 0;
    }
    file.write(reinterpret_cast<const char*>(numbers.data()),
               (at - numbers.begin()) * static_cast<std::ptrdiff_t>(sizeof(float)));
  }
}

// Resident memory that no file backs, in MB.
double anonymous_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::stod(line.substr(8)) / 1024;
  }
  return kUnknown;
}

// Seconds that this process has had a processor for, so that a busy machine does not count.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Chains of mini-batches on the rows of a file.
struct Running {
  explicit Running(const std::filesystem::path& path) {
    const double started = processor_seconds();
    const Data data = read_data(path.string());
    model = make_builtin("logistic-regression", &data);
    seconds_to_open = processor_seconds() - started;
    Options given{.method = "paper", .minibatch = kBatch, .chains = 2, .threads = 1};
    given.window = kIterations;
    options = filled_in(given, *model);
    q = entry_of(family_registry(), options.family, "family").make(model->dimension());
    chains = std::make_unique<Chains>(*model, options, *q, nullptr);
  }
  // Microseconds per iteration of one chain.
  double advance() {
    const double before = processor_seconds();
    chains->advance(kIterations);
    return 1e6 * (processor_seconds() - before) / (kIterations * options.chains);
  }

  std::unique_ptr<Model> model;
  Options options;
  std::unique_ptr<Approximation> q;
  std::unique_ptr<Chains> chains;
  double seconds_to_open = 0;
};

// One after the other, so that a busy moment of the machine hits both.
void compare_speed(const std::filesystem::path& small, const std::filesystem::path& large) {
  Running few(small), many(large);
  std::vector<double> of_few, of_many, ratios;
  few.advance();
  many.advance();
  for (int r = 0; r < kRepetitions; ++r) {
    of_few.push_back(few.advance());
    of_many.push_back(many.advance());
    ratios.push_back(of_many.back() / of_few.back());
  }
  fmt::print("opened and checked in {:.2f} s ({} rows) and {:.2f} s ({} rows)\n",
             few.seconds_to_open, kSmall, many.seconds_to_open, kLarge);
  fmt::print("{:.0f} us per iteration of {} rows of {}, {:.0f} us of {}\n", median(of_few), kBatch,
             kSmall, median(of_many), kLarge);
  fmt::print("ratio {:.2f} (bar: 1.5)\n", median(ratios));
  fmt::print("resident memory without the files {:.0f} MB (bar: 1000)\n", anonymous_mb());
}

Fit timed_fit(const Model& model, const Options& options, std::string_view what) {
  const double started = processor_seconds();
  const Fit found = fit(model, options);
  const double seconds = processor_seconds() - started;
  const Timing& t = found.timing;
  const double in_chains = (t.search_seconds + t.averaging_seconds) / t.seconds;
  fmt::print(
      "{}: |S| = {}, {:.0f} s of the processor, {:.0f} % before scoring, {}, {} iterations, "
      "error {:.3f}\n",
      what, found.options.minibatch, seconds, 100 * in_chains, name(found.verdict),
      found.iterations, found.error);
  std::fflush(stdout);
  return found;
}

// The distance between the two answers, over what they say their errors are, which are root mean
// squares: 1 on average where both are right. (2 KL)^(1/2) is what a fit reports, in sds.
double distance_over_errors(const Model& model, std::uint64_t seed) {
  // q does not depend on the draws that score it.
  const Options all{.psis_draws = 100, .seed = seed};
  Options few = all;
  few.minibatch = kAuto;
  const Fit whole = fit(model, all), batches = fit(model, few);
  if (!whole.average || !batches.average) return kUnknown;
  const Gaussian &a = batches.average->q, &b = whole.average->q;
  return std::sqrt(2 * gaussian_kl(a.mean, a.cov, b.mean, b.cov)) /
         std::hypot(whole.error, batches.error);
}

void compare_answers(const std::filesystem::path& path) {
  const Data data = read_data(path.string());
  const auto model = make_builtin("logistic-regression", &data);
  timed_fit(*model, {}, "all rows");
  timed_fit(*model, {.minibatch = kAuto}, "--minibatch auto");
  std::vector<double> ratios;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ratios.push_back(distance_over_errors(*model, seed));
  }
  const auto [least, most] = std::ranges::minmax(ratios);
  fmt::print(
      "the answers differ by {:.2f} of their errors together ({:.2f} to {:.2f}, 5 seeds; "
      "bar: 1)\n",
      median(ratios), least, most);
}

}  // namespace
}  // namespace ravi

// large_data [FOLDER]: half a gigabyte of files is written to it, and removed.
int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(argc > 1 ? argv[1] : fs::temp_directory_path().string()) /
                          fmt::format("ravi-large-data-{}", ::getpid());
  fs::create_directories(folder);
  const fs::path small = folder / "small.npy", middle = folder / "middle.npy",
                 large = folder / "large.npy";
  ravi::write_rows(small, ravi::kSmall);
  ravi::write_rows(middle, ravi::kMiddle);
  ravi::write_rows(large, ravi::kLarge);
  ravi::compare_speed(small, large);
  std::fflush(stdout);
  ravi::compare_answers(middle);
  fs::remove_all(folder);
}
