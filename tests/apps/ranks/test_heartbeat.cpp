#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "apps/ranks/heartbeat.h"
#include "tests/catch.h"

using namespace softalign::apps;
using namespace std::chrono_literals;

namespace {

constexpr int nobody = -1;

// Threads stand in for the processes of a job. When a Heartbeat is made, it exchanges one string with all the others.
class Job {
 public:
  explicit Job(std::size_t count) : strings_(count), beats_(count) {
    for (std::size_t r = 0; r < count; ++r) lost_.emplace_back(nobody);
    std::vector<std::thread> starts;
    for (std::size_t r = 0; r < count; ++r)
      starts.emplace_back([this, r] {
        beats_[r].emplace(
            r, [this, r](const std::string& mine) { return all(r, mine); },
            [this, r](std::size_t rank) { lost_[r] = static_cast<int>(rank); }, 2s, 50ms);
      });
    for (std::thread& start : starts) start.join();
  }

  void end(std::size_t rank) { beats_[rank].reset(); }
  int lost(std::size_t rank) const { return lost_[rank]; }
  bool waits_for(std::size_t rank, int lost) const {
    for (int i = 0; i < 500 && lost_[rank] != lost; ++i) std::this_thread::sleep_for(10ms);
    return lost_[rank] == lost;
  }

 private:
  std::vector<std::string> all(std::size_t rank, const std::string& mine) {
    std::unique_lock lock(mutex_);
    strings_[rank] = mine;
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return arrived_ == strings_.size(); });
    return strings_;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t arrived_ = 0;
  std::vector<std::string> strings_;
  std::deque<std::atomic<int>> lost_;  // the rank that each process has reported lost
  std::vector<std::optional<Heartbeat>> beats_;
};

}  // namespace

TEST_CASE("processes that compute for a long time are not lost", "[ranks]") {
  Job job(3);
  std::this_thread::sleep_for(5s);  // more than twice the limit of 2 s
  for (std::size_t r = 0; r < 3; ++r) CHECK(job.lost(r) == nobody);
}

TEST_CASE("process 0 loses only the process that does not answer", "[ranks]") {
  Job job(3);
  std::this_thread::sleep_for(300ms);
  job.end(2);
  CHECK(job.waits_for(0, 2));
  CHECK(job.lost(1) == nobody);
}

TEST_CASE("all processes lose process 0", "[ranks]") {
  Job job(3);
  std::this_thread::sleep_for(300ms);
  job.end(0);
  CHECK(job.waits_for(1, 0));
  CHECK(job.waits_for(2, 0));
}
