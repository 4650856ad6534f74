// Measures training. Each function prints its lines and returns the same numbers as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/benchmarks/trainee.h"
#include "tests/benchmarks/workload.h"

using namespace softalign;

namespace benchmarks {

struct Conditions {
  Sizes sizes;
  models::ModelOptions model;
  double seconds = 5;         // the least time of a measurement
  std::size_t shortlist = 0;  // number of words to decode with; 0: all
};

// Steps on one random batch: time, target words/s, FLOP/s and their share of the SGEMM peak, peak resident memory, and
// the profile.
nlohmann::json measure_training(const Conditions& c, Trainee& trainee);

// Seconds from the start of the process to the end of its first step. The start is the wall-clock time (seconds since
// 1970) in the environment variable PEER_T0, which the baseline uses too. Without it, the start is `main_began`, which
// leaves out loading the program.
nlohmann::json measure_start(const Conditions& c, Trainee& trainee, double main_began);
double wall_clock();

// Trains on batches of varying lengths for c.seconds. It prints steps/s and resident memory ten times; neither may
// drift.
nlohmann::json measure_drift(const Conditions& c, Trainee& trainee);

}  // namespace benchmarks
