// Profile measures how much time a thread spends in each op.
//
//   Profile profile;                          // measures this thread until its destruction
//   backward(loss_of(batch));
//   profile.entries().at("lstm").backward;
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "autograd/hooks.h"

namespace softalign::autograd {

class Profile : public Observer {
 public:
  struct Entry {
    std::size_t calls = 0;
    double forward = 0, backward = 0;  // seconds
    double flops = 0;                  // floating-point operations, for "gemm"
  };
  using Entries = std::map<std::string_view, Entry>;  // by name of op

  Profile();
  ~Profile() override;

  // Returns the times so far. Each op has an entry. Some parts of ops have entries of their own: "gemm" (matrix
  // products), "panels" (copying matrices into a faster layout), "allocate", "fill" and "copy". The entry "graph" is
  // the time to free ops in the backward pass. The sum of all entries is the time from the construction of the Profile
  // to its last measurement.
  const Entries& entries() const { return entries_; }

  // Adds the time since the last measurement to the entry `name`. Spans, which are parts of ops (autograd/hooks.h),
  // have their own entries, so their time is not added. Use this function for work that is not an op. If a thread has
  // several profiles, only the newest one counts. `name` must stay valid until the program ends.
  static void add_time(const char* name);

  void op_computed(const char* op, const Array& value, const std::vector<Var>& inputs) override;
  void rule_applied(const Node& op) override;
  void op_freed() override;
  void span_begun() override;
  void span_ended(const char* name, double flops) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Open {
    Clock::time_point start;
    double inner_before;  // value of inner_ at the start
  };
  void end(const char* name, double Entry::*way);

  static constinit thread_local Profile* current_;
  Profile* before_;
  Entries entries_;
  Clock::time_point last_;
  double inner_ = 0;  // seconds inside spans since last_
  std::vector<Open> open_;
};

}  // namespace softalign::autograd
