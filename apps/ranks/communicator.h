// The class Communicator lets the processes (ranks) of one training exchange data, on one machine or on several
// (`mpirun -n 4 train ..`). It uses the library MPI. Only communicator.cpp and all_reduce.cpp include MPI. A build
// without MPI has one process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "autograd/array.h"
#include "autograd/params.h"

namespace softalign::apps {

using autograd::Real;

class Communicator {
 public:
  // Creates a group that has only this process.
  Communicator() = default;
  // Returns the processes that mpirun or another MPI launcher has started. Returns only this process if there is no
  // launcher. Call it once, at the start. Throws data::Error if several processes were started and this build has no
  // MPI.
  static Communicator started_together();
  ~Communicator();
  Communicator(Communicator&& other) noexcept;
  Communicator& operator=(Communicator&&) = delete;

  std::size_t rank() const { return rank_; }  // 0 .. count - 1
  std::size_t count() const { return count_; }
  bool first() const { return rank_ == 0; }
  bool alone() const { return count_ == 1; }
  std::size_t here() const { return here_; }  // number of processes on this machine
  // Returns the number of threads for this process. It is the number of cores that the process may use, because a
  // launcher can bind a process to certain cores. It is at most the process's equal share of the machine's cores.
  int threads_each() const;

  // All ranks must call each of the following functions, in the same order.
  void barrier() const;                                         // waits until all processes have called it
  bool any(bool mine) const;                                    // returns true if `mine` is true in one process or more
  std::vector<std::string> all(const std::string& mine) const;  // returns the values of all processes by rank
  std::vector<std::uint64_t> all(std::uint64_t mine) const;
  // Replaces a few values by their sums over the processes, added in the order of the processes. For many values, use
  // all_reduce.h.
  void sum(std::span<double> values) const;
  // Returns the data of all processes, one after the other by rank. Without `sizes`, all processes must give equally
  // many numbers. Otherwise, sizes[rank] is how many numbers each process gives.
  std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& mine) const;
  std::vector<std::uint32_t> joined(const std::vector<std::uint32_t>& mine,
                                    const std::vector<std::size_t>& sizes) const;
  std::vector<Real> joined(const std::vector<Real>& mine, const std::vector<std::size_t>& sizes) const;

  // Ends all processes at once with this exit status.
  [[noreturn]] void end_all(int status) const;

  // The struct Sent counts the data that this process has sent since the start.
  struct Sent {
    std::size_t bytes = 0, messages = 0;
  };
  const Sent& sent() const { return sent_; }
  void count_sent(std::size_t bytes, std::size_t messages) const { sent_.bytes += bytes, sent_.messages += messages; }

 private:
  std::size_t rank_ = 0, count_ = 1;
  std::size_t here_ = 1;  // processes on this machine
  bool begun_ = false;    // this object has started MPI
  mutable Sent sent_;
};

// Describes the data that a process has sent per step, for example "2 processes; each process sent 2.90 MB in 9
// messages per step\n". `steps` is the number of steps so far. Returns "" if there is only one process.
std::string describe_sent(const Communicator& ranks, std::size_t steps);

// Checks that all processes have the same values before they work together. Each value has a name and a hash. Throws
// data::Error with the name of the first value that differs.
void check_same(const Communicator& ranks, const std::vector<std::pair<std::string, std::uint64_t>>& values);

// Returns a hash of the bytes of the parameters.
std::uint64_t hash(const autograd::Params& params);

}  // namespace softalign::apps
