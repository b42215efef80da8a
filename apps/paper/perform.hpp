// Carrying out one run of the evaluation.
#pragma once

#include <atomic>
#include <optional>

#include "paper/problems.hpp"
#include "paper/runs.hpp"

namespace ravi::paper {

// On one thread; depends on nothing but the run and its data. Nothing when it was asked to stop.
std::optional<Result> perform(const Run& run, const Library& library,
                              const std::atomic<bool>* stop_requested);

}  // namespace ravi::paper
