#include "autograd/storage/profile.h"

namespace softalign::autograd {

using Clock = std::chrono::steady_clock;

namespace {

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

constinit thread_local Profile* Profile::current_ = nullptr;

Profile::Profile() : before_(current_), last_(Clock::now()) { current_ = this; }
Profile::~Profile() { current_ = before_; }

void Profile::end(const char* name, double Entry::*way) {
  const Clock::time_point now = Clock::now();
  Entry& entry = entries_[name];
  entry.calls += 1;
  entry.*way += seconds(now - last_) - parts_;
  last_ = now;
  parts_ = 0;
}

void Profile::Part::begin() {
  parts_before_ = profile_->parts_;
  start_ = Clock::now();
}

// Parts inside this one have charged themselves already.
void Profile::Part::end() {
  const double whole = seconds(Clock::now() - start_), inner = profile_->parts_ - parts_before_;
  Entry& entry = profile_->entries_[name_];
  entry.calls += 1;
  entry.forward += whole - inner;
  entry.flops += flops_;
  profile_->parts_ = parts_before_ + whole;
}

}  // namespace softalign::autograd
