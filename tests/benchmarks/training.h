// What is measured of training. Each function prints its lines and gives the same as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/benchmarks/trainee.h"
#include "tests/benchmarks/workload.h"

using namespace softalign;

namespace benchmarks {

struct Conditions {
  Sizes sizes;
  models::ModelOptions model;
  double seconds = 5;         // measure at least so long
  std::size_t shortlist = 0;  // words to decode with; 0: all
};

// Steps on one random batch: time, target words/s, FLOP/s and their share of the SGEMM peak, peak resident memory, and
// where the time goes.
nlohmann::json measure_training(const Conditions& c, Trainee& trainee);

// From the start of the process to the end of its first step. The start is the wall-clock time (seconds since 1970) in
// the environment's PEER_T0, as for the peer; without it, `main_began`, which leaves out loading the program.
nlohmann::json measure_start(const Conditions& c, Trainee& trainee, double main_began);
double wall_clock();

// Trains on batches of varying lengths for all of c.seconds; a line each tenth of it: steps/s and resident memory, of
// which neither may drift.
nlohmann::json measure_drift(const Conditions& c, Trainee& trainee);

}  // namespace benchmarks
