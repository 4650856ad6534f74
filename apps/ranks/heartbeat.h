// Heartbeat notices that another machine of a job has failed, or that the network is cut.
//
// The library MPI waits for a silent process for ever, because it cannot know whether the process computes or is gone.
// Therefore a thread of each process sends a small message (a heartbeat) to process 0 every second, and process 0
// answers. The thread also runs while the process computes or writes a file. The messages use UDP, and not MPI.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace softalign::apps {

class Heartbeat {
 public:
  // The time without a message after which a process counts as lost. A shorter cut of the network does no harm, because
  // TCP repeats what was lost.
  static constexpr std::chrono::milliseconds limit{45'000};
  static constexpr std::chrono::milliseconds interval{1'000};

  // all(mine) returns the strings of all processes by rank; all processes construct a Heartbeat together.
  using All = std::function<std::vector<std::string>(const std::string& mine)>;
  // lost(rank) is called once, in the thread, if process `rank` was heard before and is silent for longer than the
  // limit. Process 0 watches all others, and the others watch process 0. The time in which this process was stopped
  // itself, for example by Ctrl-Z, does not count.
  using Lost = std::function<void(std::size_t rank)>;
  Heartbeat(std::size_t rank, const All& all, Lost lost, std::chrono::milliseconds longest = limit,
            std::chrono::milliseconds every = interval);
  // Ends the thread.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;  // none if this machine has no socket for it
};

}  // namespace softalign::apps
