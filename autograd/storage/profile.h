// Profile: where a thread's time goes, op by op. While none is switched on, an op pays one comparison.
//
//   Profile profile;                          // on, in this thread, while it lives
//   backward(loss_of(batch));
//   profile.entries().at("lstm").backward;
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string_view>

namespace softalign::autograd {

class Profile {
 public:
  struct Entry {
    std::size_t calls = 0;
    double forward = 0, backward = 0;  // seconds
    double flops = 0;                  // of "gemm"
  };
  using Entries = std::map<std::string_view, Entry>;  // by name of op

  Profile();
  ~Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;

  // What ops do by way of the engine stands apart: "gemm" and "panels" (factors laid out for it), "allocate", "fill"
  // and "copy"; the backward walk itself is "graph". Entries sum to all the time from the start to the last charge.
  const Entries& entries() const { return entries_; }

  // The time since the last charge, less what was spent inside parts, was `name`'s. Names must live as long as the
  // program.
  static void charge(const char* name) {
    if (current_) current_->end(name, &Entry::forward);
  }
  static void charge_backward(const char* name) {
    if (current_) current_->end(name, &Entry::backward);
  }

  // A part of whatever op is at work, charged to its own name while it lives.
  class Part {
   public:
    explicit Part(const char* name, double flops = 0) : profile_(current_), name_(name), flops_(flops) {
      if (profile_) begin();
    }
    ~Part() {
      if (profile_) end();
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    void begin();
    void end();
    Profile* profile_;
    const char* name_;
    double flops_, parts_before_ = 0;
    std::chrono::steady_clock::time_point start_;
  };

 private:
  void end(const char* name, double Entry::*way);

  static constinit thread_local Profile* current_;
  Profile* before_;
  Entries entries_;
  std::chrono::steady_clock::time_point last_;
  double parts_ = 0;  // seconds inside parts since then
};

}  // namespace softalign::autograd
