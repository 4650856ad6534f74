// bench measures our speed on random data with the baseline's sizes, and compares it with the limits of this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "apps/cli/command_line.h"
#include "autograd/kernels.h"
#include "tests/benchmarks/decoding.h"
#include "tests/benchmarks/peer_model.h"
#include "tests/benchmarks/training.h"
#include "tests/int8_in_force.h"

using namespace softalign;

namespace {

using namespace benchmarks;
using nlohmann::json;

struct Options {
  std::string size = "toy";
  std::string model = "rnnsearch";
  std::optional<layers::ScoreKind> attention;
  layers::WindowKind window = layers::WindowKind::global;
  std::vector<std::string> what{"train"};
  double seconds = 5;
  bool int8 = false;
  std::size_t shortlist = 0;
  std::size_t batch = 0, length = 0, hidden = 0, vocabulary = 0;  // 0: the value of `size`
};

Conditions conditions(const Options& o) {
  Conditions c;
  c.seconds = o.seconds;
  c.shortlist = o.shortlist;
  c.sizes = *std::find_if(known_sizes.begin(), known_sizes.end(), [&](const Sizes& z) { return z.name == o.size; });
  if (o.batch) c.sizes.B = o.batch;
  if (o.length) c.sizes.S = c.sizes.T = o.length;
  if (o.hidden) c.sizes.H = c.sizes.A = o.hidden;
  if (o.vocabulary) c.sizes.V = o.vocabulary;
  c.model = models::completed(model_options(c.sizes, o.model, o.attention, o.window));
  const std::string problem = models::problem_of(c.model);
  if (!problem.empty()) throw apps::UsageError(problem);
  return c;
}

// Compares the number of our parameters with the baseline's.
json compare_parameters(const Conditions& c, std::size_t ours) {
  const auto peer = peer_model(c.sizes, c.model);
  fmt::print("{} {}, {} attention: {} parameters; ", c.sizes.name, c.model.model, name_of(*c.model.attention), ours);
  if (!peer) {
    fmt::print("the peer has no such model\n");
    return {{"params", ours}};
  }
  fmt::print("the peer's: {}, and {} in biases that change nothing\n", peer->parameters, peer->second_biases);
  if (!peer->differs.empty()) fmt::print("  not the same model: {}\n", peer->differs);
  if (peer->differs.empty() && peer->parameters != ours) throw std::logic_error("bench: the models should be the same");
  return {{"params", ours}, {"peer_params", peer->parameters}, {"same_model", peer->differs.empty()}};
}

}  // namespace

int main(int argc, char** argv) {
  const double main_began = wall_clock();
  Options o;
  apps::CommonOptions common;
  apps::CommandLine line(
      "bench", "Our speed on random data of the peers' sizes; the last line is JSON.",
      {"bench --size paper --threads 2", "bench --model luong --attention general --what train,greedy,beam",
       "bench --what start", "bench --what drift --seconds 600"},
      common);
  std::vector<std::string> sizes;
  for (const Sizes& z : known_sizes) sizes.push_back(z.name);
  line.add("size", &o.size, fmt::format("{}", fmt::join(sizes, " | ")), apps::one_of(sizes));
  line.add("model", &o.model, "any model of train", apps::one_of(models::known_models()));
  line.add("attention", &o.attention, "any attention of train; the model's own if not given");
  line.add("attention-window", &o.window, "global | local-m | local-p");
  line.add("what", &o.what, "any of train, greedy, beam (of 5), separated by commas; or start; or drift",
           {.names = {"train", "greedy", "beam", "start", "drift"}, .commas = true});
  line.add("int8", &o.int8, "decode with weights of 8 bits, as translate --int8 does");
  line.add("shortlist", &o.shortlist, "decode with so many target words; 0: all");
  line.add("seconds", &o.seconds, "measure each at least so long", apps::between(0, 1e6));
  line.add("batch", &o.batch, "sentences a training step; 0: the size's");
  line.add("length", &o.length, "words of source and of target, at least 2; 0: the size's");
  line.add("hidden", &o.hidden, "hidden and attention size; 0: the size's");
  line.add("vocabulary", &o.vocabulary, "words on either side, at least 10; 0: the size's");
  return line.run(argc, argv, [&] {
    const auto wants = [&](const char* name) { return std::find(o.what.begin(), o.what.end(), name) != o.what.end(); };
    if (o.what.size() > 1 && (wants("start") || wants("drift")))
      throw apps::UsageError("--what start and --what drift each need a process of their own");
    if (o.length == 1) throw apps::UsageError("--length 1: at least 2 expected");
    if (o.vocabulary > 0 && o.vocabulary < 10) throw apps::UsageError("--vocabulary: at least 10 expected");
    const Conditions c = conditions(o);
    Trainee trainee(c.model, common.seed);
    json result{{"size", c.sizes.name},
                {"model", c.model.model},
                {"attention", name_of(*c.model.attention)},
                {"attention-window", name_of(c.model.attention_window)},
                {"threads", common.threads}};
    if (wants("start")) result.update(measure_start(c, trainee, main_began));
    result.update(compare_parameters(c, trainee.params.count()));
    if (wants("train")) result.update(measure_training(c, trainee));
    if (wants("drift")) result.update(measure_drift(c, trainee));
    std::optional<Int8InForce> int8;
    if (o.int8) int8.emplace();
    if (wants("greedy")) result.update(measure_decoding(c, trainee, 1));
    if (wants("beam")) result.update(measure_decoding(c, trainee, 5));
    fmt::print("{}\n", result.dump());
    return 0;
  });
}
