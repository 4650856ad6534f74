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
  // A process counts as lost if no heartbeat arrives from it for the time `limit`. A shorter interruption of the
  // network does no harm to the training, because its data go over TCP, which sends lost data again.
  static constexpr std::chrono::milliseconds limit{45'000};
  static constexpr std::chrono::milliseconds interval{1'000};

  // all(mine) sends the string `mine` to all processes. It returns the strings of all processes, in the order of their
  // ranks. Process 0 sends its network addresses in this way. All processes must construct their Heartbeat together.
  using All = std::function<std::vector<std::string>(const std::string& mine)>;
  // The thread of the Heartbeat calls lost(rank) once, if process `rank` has sent a heartbeat before and then sends
  // none for longer than the limit. Process 0 watches all others, and the others watch process 0. If this process
  // itself was stopped for a while, for example by Ctrl-Z, the time of the stop does not count.
  using Lost = std::function<void(std::size_t rank)>;
  Heartbeat(std::size_t rank, const All& all, Lost lost, std::chrono::milliseconds longest = limit,
            std::chrono::milliseconds every = interval);
  // Ends the thread.
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

 private:
  class Thread;
  std::unique_ptr<Thread> thread_;  // null if this machine cannot open a socket
};

}  // namespace softalign::apps
