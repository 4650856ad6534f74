// Several processes each do a part of the work, and all receive the whole result. In these tests threads stand in for
// processes and exchange their bytes.
#include "apps/scatter_gather/scatter_gather.h"

#include <barrier>
#include <mutex>
#include <thread>

#include "apps/run/batched_inference.h"
#include "data/io/error.h"
#include "tests/benchmarks/trainee.h"
#include "tests/benchmarks/workload.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

// The results of body(group) in each of `count` processes. If body throws in one process, it must throw in all.
template <class Result>
std::vector<Result> in_each(std::size_t count, const std::function<Result(const apps::ProcessGroup&)>& body) {
  std::vector<Result> results(count);
  std::vector<std::string> said(count);
  std::barrier all_said(static_cast<std::ptrdiff_t>(count)), all_read(static_cast<std::ptrdiff_t>(count));
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      results[rank] = body({rank, count, [&, rank](std::string mine) {
                              said[rank] = std::move(mine);
                              all_said.arrive_and_wait();
                              std::vector<std::string> all = said;
                              all_read.arrive_and_wait();
                              return all;
                            }});
    });
  for (std::thread& thread : threads) thread.join();
  return results;
}

template <class T>
std::string packed(const T& x) {
  apps::Packer pack;
  pack(x);
  return pack.take();
}

models::Hypothesis some_hypothesis() {
  models::Hypothesis h{{4, 5}, true, -1.5, -0.75, {-0.5, -1, 0}, {}};
  h.weights.matrix = {{0.25f, 0.75f}, {}};
  h.weights.heads = {{1, 2, data::HeadKind::self, {{1}}, {{-2}}}, {3, 4, data::HeadKind::cross, {{0.5f, 0.5f}}, {}}};
  h.weights.scores = {{3, -std::numeric_limits<float>::infinity()}};
  h.weights.norms = data::Norms{{1, 2}, {3}};
  h.weights.gate = {0.5f};
  h.weights.layer_share = 0.3f;
  return h;
}

}  // namespace

TEST_CASE("packed: each field is read back as it was written") {
  const auto h = some_hypothesis();
  const auto bytes = packed(std::vector{h, models::Hypothesis{}});
  apps::Unpacker unpack(bytes);
  const auto back = unpack.next<std::vector<models::Hypothesis>>();
  CHECK(unpack.done());
  REQUIRE(back.size() == 2);
  CHECK(back[0].ids == h.ids);
  CHECK(back[0].finished);
  CHECK(back[0].log_prob == h.log_prob);
  CHECK(back[0].score == h.score);
  CHECK(back[0].word_log_prob == h.word_log_prob);
  CHECK(back[0].weights.matrix == h.weights.matrix);
  CHECK(back[0].weights.scores == h.weights.scores);
  CHECK(back[0].weights.norms->context == h.weights.norms->context);
  CHECK(back[0].weights.gate == h.weights.gate);
  CHECK(back[0].weights.layer_share == h.weights.layer_share);
  REQUIRE(back[0].weights.heads.size() == 2);
  CHECK(back[0].weights.heads[1].kind == data::HeadKind::cross);
  CHECK(packed(back) == bytes);
  const std::vector<bool> flags{true, false, true};
  CHECK(apps::Unpacker(packed(flags)).next<std::vector<bool>>() == flags);
}

TEST_CASE("packed: truncated bytes are an error, and lengths are checked") {
  const std::string bytes = packed(some_hypothesis());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_THROWS_AS(apps::Unpacker(bytes.substr(0, size)).next<models::Hypothesis>(), std::runtime_error);
  CHECK_THROWS_AS(apps::Unpacker(packed(std::size_t{1} << 60)).next<std::vector<double>>(), std::runtime_error);
}

TEST_CASE("sharing: each process does its part, and all have the complete result") {
  for (const std::size_t n : {0, 1, 2, 7}) {
    std::mutex guard;
    std::vector<std::size_t> done(n);
    const auto results = in_each<std::vector<std::string>>(3, [&](const apps::ProcessGroup& processes) {
      return apps::scatter_gather<std::string>(processes, n, [&](const std::vector<std::size_t>& mine, auto& found) {
        const std::lock_guard lock(guard);
        CHECK(mine.size() <= n / 3 + 1);
        for (const std::size_t i : mine) found[i] = std::to_string(i), ++done[i];
      });
    });
    CHECK(done == std::vector<std::size_t>(n, 1));
    for (const auto& result : results) {
      REQUIRE(result.size() == n);
      for (std::size_t i = 0; i < n; ++i) CHECK(result[i] == std::to_string(i));
    }
  }
}

TEST_CASE("sharing: all processes throw an exception of one, the first one if there are several") {
  const auto errors = in_each<std::string>(3, [](const apps::ProcessGroup& processes) -> std::string {
    try {
      apps::all_gather(processes, [&]() -> std::string {
        if (processes.first()) return "";
        throw data::Error(data::ErrorKind::damaged_file, "of " + std::to_string(processes.rank));
      });
    } catch (const data::Error& error) {
      return error.kind() == data::ErrorKind::damaged_file ? error.what() : "another kind";
    }
    return "none";
  });
  CHECK(errors == std::vector<std::string>{"of 1", "of 1", "of 1"});
}

TEST_CASE("sharing: text is written in the order of its parts, up to the first that fails") {
  for (const std::size_t count : {1, 2, 3, 8}) {
    const auto written = in_each<std::string>(count, [](const apps::ProcessGroup& processes) {
      std::string all;
      const auto make = [](std::size_t part, std::string& text) {
        text += std::to_string(part) + "a ";
        if (part == 4) throw std::runtime_error("no more");
        text += std::to_string(part) + "b ";
      };
      try {
        write_in_order(processes, 7, make, [&](const std::string& text) { all += text; });
      } catch (const std::runtime_error& error) {
        all += error.what();
      }
      return all;
    });
    CHECK(written[0] == "0a 0b 1a 1b 2a 2b 3a 3b 4a no more");
    for (std::size_t rank = 1; rank < count; ++rank) CHECK(written[rank] == "no more");
  }
}

TEST_CASE("sharing: all processes have the first one's input") {
  const auto lines = in_each<std::vector<std::string>>(2, [](const apps::ProcessGroup& processes) {
    return broadcast(processes, [&] { return std::vector<std::string>{processes.first() ? "a" : "b", ""}; });
  });
  CHECK(lines[0] == std::vector<std::string>{"a", ""});
  CHECK(lines[1] == lines[0]);
}

// There are more batches than processes. A process packs the weights for products when it meets its second batch, but
// not for its first. The results must be bitwise equal in both cases.
TEST_CASE("sharing: translations and forced decoding have the same bits as with one process") {
  using namespace benchmarks;
  const Sizes sizes{"few", 300, 64, 700, 300, 60, 6, 6, 1, 1};  // BLAS sums 700 hidden units in two parts
  const auto found = [&](const apps::ProcessGroup& processes) {
    Trainee trainee(model_options(sizes, "rnnsearch", {}, layers::WindowKind::global), 3);
    autograd::Random random(4);
    std::vector<data::EncodedPair> pairs = random_sources(sizes, random);
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].target = pairs[i / 2].source;
    const models::BeamOptions options{.beam = 3, .max_length = 8};
    const std::size_t batch = 20;  // too many rows for unpacked weights, too few to pack them at once
    std::string bytes;
    for (const auto& h : apps::search(*trainee.model, trainee.params, pairs, options, batch, processes))
      bytes += packed(h.front());
    for (const auto& pair : apps::teacher_force(*trainee.model, trainee.params, pairs, batch, processes))
      bytes += packed(pair.weights) + packed(pair.log_prob);
    return bytes;
  };
  const std::string alone = found({});
  for (const std::string& bytes : in_each<std::string>(3, found)) CHECK(bytes == alone);
}
