// A profile accounts for all of a thread's time. Each op has its own entry, and so have matrix products and memory.
#include "autograd/profile.h"
#include "autograd/var.h"

#include <optional>
#include <thread>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "tests/catch.h"
#include "tests/compare.h"

using namespace softalign;

namespace {

using namespace autograd;
using Clock = std::chrono::steady_clock;

const std::size_t M = 96, K = 128, N = 64;

Var loss() {
  Random random(1);
  const Var x = variable(compare::random_array({M, K}, random)), W = variable(compare::random_array({K, N}, random));
  return sum(tanh(matmul(x, W)));
}

double total(const Profile& profile) {
  double seconds = 0;
  for (const auto& [name, entry] : profile.entries()) seconds += entry.forward + entry.backward;
  return seconds;
}

void sleep(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

}  // namespace

TEST_CASE("a profile contains every op, its forward and backward pass, and its products") {
  const auto start = Clock::now();
  const Profile profile;
  backward(loss());
  const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();

  for (const char* op : {"matmul", "tanh", "sum"}) {
    INFO(op);
    REQUIRE(profile.entries().contains(op));
    CHECK(profile.entries().at(op).calls == 2);
    CHECK(profile.entries().at(op).forward > 0);
    CHECK(profile.entries().at(op).backward > 0);
  }
  CHECK(profile.entries().at("gemm").calls == 3);
  CHECK(profile.entries().at("gemm").flops == 3 * 2.0 * M * K * N);
  CHECK(profile.entries().at("allocate").calls > 3);
  CHECK(total(profile) <= elapsed);
}

TEST_CASE("time inside a span counts for the innermost span") {
  const auto start = Clock::now();
  const Profile profile;
  {
    const Span outer("outer");
    sleep(5);
    {
      const Span inner("inner");
      sleep(20);
    }
  }
  sleep(10);
  Profile::add_time("op");
  const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  const auto& entries = profile.entries();
  CHECK(entries.at("inner").forward >= .020);
  CHECK(entries.at("outer").forward >= .005);
  CHECK(entries.at("op").forward >= .010);
  CHECK(total(profile) <= elapsed);  // no time is counted twice
}

TEST_CASE("a span records nothing without a profile, in another thread or in an outer profile", "[threads]") {
  Profile::add_time("nobody");
  const Profile outer;
  std::thread([] { Profile::add_time("another thread"); }).join();
  {
    const Profile inner;
    Profile::add_time("inner");
    CHECK(inner.entries().size() == 1);
  }
  Profile::add_time("outer");
  CHECK(outer.entries().size() == 1);
  CHECK(outer.entries().contains("outer"));
}

TEST_CASE("ops and spans count for the innermost profile only") {
  const Profile outer;
  {
    const Profile inner;
    backward(loss());
    { const Span span("span"); }
    CHECK(inner.entries().at("tanh").calls == 2);
    CHECK(inner.entries().at("span").calls == 1);
  }
  CHECK_FALSE(outer.entries().contains("tanh"));
  CHECK_FALSE(outer.entries().contains("span"));
  { const Span span("span"); }
  CHECK(outer.entries().at("span").calls == 1);
}

TEST_CASE("a span that began before the profile is not counted") {
  const Profile outer;  // a span is reported only if somebody observes its beginning
  std::optional<Span> span(std::in_place, "before");
  const Profile profile;
  span.reset();
  CHECK_FALSE(profile.entries().contains("before"));
  { const Span later("later"); }
  CHECK(profile.entries().at("later").calls == 1);
}
