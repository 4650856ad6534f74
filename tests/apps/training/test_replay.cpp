// When a step has a NaN or Inf, its state is saved. The step is repeated from the saved state only.
#include "apps/training/replay.h"

#include <limits>
#include <regex>
#include <stdexcept>

#include "apps/run/run_text.h"
#include "apps/training/recorded_pairs.h"
#include "models/training/batch_gradient.h"
#include "tests/apps/training/pictures.h"
#include "tests/apps/training/translating.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace apps;

void set(const autograd::Params& params, const std::string& part_of_name, autograd::Real value) {
  for (const autograd::Parameter& p : params.all())
    if (p.name.find(part_of_name) != std::string::npos) autograd::Var(p.var).mutable_value().fill(value);
}

}  // namespace

TEST_CASE("a replay reproduces a training step that gave NaN or infinity", "[task]") {
  const TemporaryFolder folder;
  const RunFolder run{folder.path.string()};
  Translating translating;
  set(translating.run.params, "readout/b", 3e38f);
  std::string message;
  try {
    Trainer(translating.task, {.epochs = 2, .gradient_accumulation = 1}, run).train({});
  } catch (const models::Diverged& error) {
    message = error.what();
  }
  INFO(message);
  std::smatch found;
  REQUIRE(std::regex_search(message, found, std::regex("First NaN or Inf: (op .*)\n")));
  CHECK_THAT(found[1].str(), Catch::Contains(" up to 3e+38"));
  const std::string shown = replay(run.diverged(), 0);
  CHECK(std::regex_match(shown, std::regex("step 1 \\(epoch 1\\), pairs: 2\n  line [12]: (i|you) know\n  line [12]: "
                                           "(i|you) know\nloss: -?(nan|inf), summed over the words\n"
                                           "first NaN or Inf: [^\n]*\n")));
  CHECK_THAT(shown, Catch::Contains("first NaN or Inf: " + found[1].str() + "\n"));
  CHECK_FALSE(std::filesystem::exists(run.model()));
}

TEST_CASE("a replay of a step with hard attention uses the recorded rewards", "[task]") {
  const TemporaryFolder folder;
  TrainOptions options = pictures::looking_hard();
  options.epochs = 1;  // hard attention is used from the first step on
  complete(options);
  const TrainingData data = pictures::corpus(30);
  LoadedRun run = learn_run(options, Translating::config_of(options), data.train.pairs);
  Seq2SeqTask task(run, data);
  autograd::Random random = dropout_stream(options.common.seed);
  const autograd::Indices batch = task.batches(1).front();
  const std::size_t targets = task.targets(batch);
  task.forward_backward(batch, {0, 1, targets, random});
  task.step_done(task.step_sums());
  save_failed(folder.file("failed"), task, {1, 1, random.position(), targets, {batch}});
  const models::Objective objective = objective_in(options, 1, 1, task.memory().front().array);
  REQUIRE(objective.hard_attention->fraction > 0);
  const models::SummedLosses sums =
      models::add_batch_gradient(*run.model, run.params, data::make_batch(encode(run, data.train.pairs), batch),
                                 objective, random, {.shards = task.shards(), .words = targets});
  CHECK(sums.reinforcement != 0);
  CHECK_THAT(replay(folder.file("failed"), 0), Catch::Contains(fmt::format("loss: {}, summed", sums.total())));
}

TEST_CASE("a replay reproduces a validation that gave NaN or infinity", "[task]") {
  struct Overflowing : Seq2SeqTask {
    using Seq2SeqTask::Seq2SeqTask;
    Validation validate(std::size_t epoch) override {
      set(params(), "readout", std::numeric_limits<autograd::Real>::infinity());
      return Seq2SeqTask::validate(epoch);
    }
  };
  const TemporaryFolder folder;
  const RunFolder run{folder.path.string()};
  Translating translating;
  Overflowing task(translating.run, translating.data);
  CHECK_THROWS(Trainer(task, {.epochs = 2}, run).train({}));
  CHECK_THAT(replay(run.diverged(), 1), Catch::StartsWith("validation after step 1 (epoch 1), pairs: 2\n"));
}

TEST_CASE("recorded pairs are read back unchanged, and invalid ones are refused", "[task]") {
  const RecordedPairs recorded{9,
                               8,
                               {{{{4, 5}, {6}, {{0, 0}, {1, 0}}}, {{7}, {7}, {}}, {{}, {7}, {}}}, {{{1}, {1, 1}, {}}}},
                               {"line 3: a b", "line 4: c", "line 5: of nothing", "line 1: ?"}};
  const std::string text = format(recorded);
  const RecordedPairs back = parse_recorded(text, "FILE");
  CHECK(format(back) == text);
  CHECK(back.names == recorded.names);
  REQUIRE(back.batches.size() == 2);
  CHECK(back.batches[0][0].sure == recorded.batches[0][0].sure);
  CHECK(back.batches[0][2].source.empty());
  CHECK(back.batches[1][0].target == data::Ids{1, 1});
  const auto picture = std::make_shared<const data::Picture>(data::Picture{1, 2, {0, 15, 160, 255, 1, 2}});
  const RecordedPairs others{
      9, 8, {{{{4, 5, 6}, {6}, {{1, 0}}, 2}, {{}, {7}, {}, 3, picture}}}, {"a story", "a picture"}};
  const RecordedPairs read = parse_recorded(format(others), "FILE");
  CHECK(data::hash(read.batches[0]) == data::hash(others.batches[0]));
  CHECK(read.batches[0][0].places == 2);
  CHECK(read.batches[0][1].places == 3);
  for (const std::string bad :
       {"", "9\n", "9 8\n", "9 8\n\n", "9 8\n4\t5\t\tx\n", "9 8\n\n4\t5\n", "9 8\n\n9\t5\t\tx\n", "9 8\n\n4\t8\t\tx\n",
        "9 8\n\n4\t5\t1-0\tx\n", "9 8\n\n-1\t5\t\tx\n", "9 8\n\n \t5\t\tx\n", "9 8\n\n4/\t5\t\tx\n",
        "9 8\n\n4/ 0\t5\t\tx\n", "9 8\n\n/ 1 1 1 0g0000\t5\t\tx\n", "9 8\n\n/ 1 1 2 000000\t5\t\tx\n",
        "9 8\n\n/ 2 9999999 1 00\t5\t\tx\n", "9 8\n\n/ 1 1\t5\t\tx\n", "9 8\n\n/ 1 1 1\t5\t\tx\n"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_recorded(bad, "FILE"), std::runtime_error);
  }
}
