#include "autograd/profile.h"

#include "autograd/var.h"

namespace softalign::autograd {
namespace {

double seconds(std::chrono::steady_clock::duration time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

constinit thread_local Profile* Profile::current_ = nullptr;

Profile::Profile() : Observer(Of::this_thread), before_(current_), last_(Clock::now()) { current_ = this; }
Profile::~Profile() { current_ = before_; }

void Profile::add_time(const char* name) {
  if (current_) current_->end(name, &Entry::forward);
}

void Profile::end(const char* name, double Entry::*way) {
  if (current_ != this) return;
  const Clock::time_point now = Clock::now();
  Entry& entry = entries_[name];
  entry.calls += 1;
  entry.*way += seconds(now - last_) - inner_;
  last_ = now;
  inner_ = 0;
}

void Profile::op_computed(const char* op, const Array&, const std::vector<Var>&) { end(op, &Entry::forward); }
void Profile::rule_applied(const Node& op) { end(op.op, &Entry::backward); }
void Profile::op_freed() { end("graph", &Entry::backward); }

void Profile::span_begun() {
  if (current_ == this) open_.push_back({Clock::now(), inner_});
}

// The time of spans inside this span is already counted, so it is subtracted here. A span that began before the profile
// is not counted.
void Profile::span_ended(const char* name, double flops) {
  if (current_ != this || open_.empty()) return;
  const double all = seconds(Clock::now() - open_.back().start), inner = inner_ - open_.back().inner_before;
  Entry& entry = entries_[name];
  entry.calls += 1;
  entry.forward += all - inner;
  entry.flops += flops;
  inner_ = open_.back().inner_before + all;
  open_.pop_back();
}

}  // namespace softalign::autograd
