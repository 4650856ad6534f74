// A training that is stopped and resumed equals, byte by byte, the training that was never stopped.
#include <filesystem>

#include "apps/run/run_files.h"
#include "apps/training/seq2seq_task.h"
#include "autograd/threads/blas.h"
#include "data/io/files.h"
#include "tests/apps/training/pictures.h"
#include "tests/apps/training/run_contents.h"
#include "tests/catch.h"
#include "tests/models/training/student.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace apps;

std::vector<data::Pair> words_of(const std::vector<data::EncodedPair>& encoded, std::size_t begin, std::size_t end) {
  const auto words = [](const data::Ids& ids) {
    data::Tokens tokens;
    for (const data::Id id : ids) tokens.push_back(fmt::format("w{}", id));
    return tokens;
  };
  std::vector<data::Pair> pairs;
  for (std::size_t i = begin; i < end; ++i)
    pairs.push_back({words(encoded[i].source), words(encoded[i].target), data::Gold{encoded[i].sure, {}}, {}, i + 1});
  return pairs;
}

TrainingData corpus(std::size_t train = 40) {
  const auto encoded = student::reversed_pairs(train + 6);
  return {{words_of(encoded, 6, train + 6)}, {words_of(encoded, 0, 6)}};
}

// An epoch has 7 batches.
TrainOptions tiny() {
  TrainOptions o;
  o.model.embedding = o.model.attention_size = o.model.readout = 6;
  o.model.hidden = 8;
  o.model.dropout = .3;
  o.epochs = 3;
  o.batch = 6;
  o.track = 2;
  return o;
}

// Trains from the beginning or resumes from the saved state. It ends after the last epoch or at step `stop` of this
// call.
TrainingEnd train(const TrainOptions& options, const TrainingData& data, const std::string& folder, bool resume,
                  std::size_t stop = 0) {
  const auto vocabulary = [&](data::Tokens data::Pair::*side) {
    return data::Vocabulary::build(count_words(data.train.pairs, side));
  };
  LoadedRun run = make_run(options, "{}", vocabulary(&data::Pair::source), vocabulary(&data::Pair::target));
  check_feasible(run, data);
  std::filesystem::create_directories(folder);
  Seq2SeqTask task(run, data);
  Trainer trainer(task, trainer_options(options), {folder});
  if (resume) trainer.resume();
  std::size_t steps = 0;
  TrainingHooks hooks;
  hooks.interrupted = [&] { return ++steps == stop; };
  return trainer.train(hooks);
}

struct Case {
  std::string name;
  std::size_t threads;
  TrainOptions options;
  TrainingData data = corpus();
};

// The cases cover every optimiser, schedule, decay of scheduled sampling, criterion of the best epoch and kind of
// averaging at least once.
std::vector<Case> cases() {
  std::vector<Case> all(6, {"adam", 1, tiny()});
  {
    auto& [name, threads, o, data] = all[1];
    name = "sgd with momentum, accumulation, EMA, two shards";
    threads = 2;
    o.optimiser = {.kind = autograd::OptimiserKind::sgd, .momentum = .9};
    o.schedule = {.kind = autograd::ScheduleKind::halve, .learning_rate = .1, .halve_after = 1};
    o.gradient_accumulation = 3;
    o.ema = .9;
    o.keep_epochs = 2;
  }
  {
    auto& [name, threads, o, data] = all[2];
    name = "adadelta, plateau, inverse-sigmoid sampling, best BLEU";
    o.optimiser.kind = autograd::OptimiserKind::adadelta;
    o.schedule = {.kind = autograd::ScheduleKind::plateau, .learning_rate = 1, .patience = 1};
    o.sampling = {.kind = models::SamplingKind::inverse_sigmoid, .k = 3};
    o.keep = BestBy::bleu;
    o.patience = 2;
  }
  {
    auto& [name, threads, o, data] = all[3];
    name = "adamw, warm-up, all losses, linear sampling, tokens, best AER, kept epochs";
    threads = 2;
    o.optimiser = {.kind = autograd::OptimiserKind::adamw, .weight_decay = .01};
    o.schedule = {.kind = autograd::ScheduleKind::inverse_sqrt, .learning_rate = 1e-2, .warmup_steps = 5};
    o.objective = {.label_smoothing = .1, .guided_alignment = .5, .coverage = .5};
    o.model.coverage = o.model.variational_dropout = true;
    o.sampling = {.kind = models::SamplingKind::linear, .slope = .05, .floor = .2};
    o.batch_tokens = 30;
    o.gradient_accumulation = 2;
    o.keep = BestBy::aer;
    o.keep_epochs = 1;
  }
  {
    auto& [name, threads, o, data] = all[4];
    name = "luong, constant rate, exponential sampling, saved every 2 steps";
    o.model.model = "luong";
    o.schedule.kind = autograd::ScheduleKind::constant;
    o.sampling = {.kind = models::SamplingKind::exponential, .k = .9};
    o.ema = .5;
    o.save_every = 2;
  }
  {
    auto& [name, threads, o, data] = all[5];
    name = "hard looks, soft in the first of three epochs, accumulation, two shards";
    threads = 2;
    o = pictures::looking_hard();
    o.gradient_accumulation = 2;
    data = pictures::corpus(40);
  }
  return all;
}

}  // namespace

TEST_CASE("a training that stops after any step and resumes gives the same bytes as one without a stop") {
  const std::size_t which =
      GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4}, std::size_t{5});
  const auto [name, threads, options, data] = cases()[which];
  INFO(name);
  autograd::set_threads(static_cast<int>(threads));
  const TemporaryFolder folder;
  REQUIRE(train(options, data, folder.file("whole"), false) != TrainingEnd::interrupted);
  const auto whole = contents(folder.file("whole"));
  for (const std::size_t stop : {1, 2, 3, 5, 7, 8}) {
    INFO("stopped after step " << stop << " and again after two more");
    const std::string path = folder.file(fmt::format("stopped-{}", stop));
    REQUIRE(train(options, data, path, false, stop) == TrainingEnd::interrupted);
    CHECK(contents(path) != whole);
    const bool again = train(options, data, path, true, 2) == TrainingEnd::interrupted;
    if (again) train(options, data, path, true);
    check_same(contents(path), whole);
  }
  autograd::set_threads(1);
}

TEST_CASE("a training with hard attention keeps its mean reward, and one without keeps nothing") {
  const TemporaryFolder folder;
  const auto kept = [&](const TrainOptions& options) {
    train(options, pictures::corpus(40), folder.path.string(), false);
    const models::Checkpoint last = models::load_checkpoint(folder.file("last.safetensors"));
    std::vector<autograd::Array> found;
    for (const models::NamedArray& array : last.training)
      if (array.name == reward_baseline) found.push_back(array.array);
    return found;
  };
  TrainOptions options = pictures::looking_hard();
  const auto baseline = kept(options);
  REQUIRE(baseline.size() == 1);
  REQUIRE(baseline[0].shape() == autograd::Shape{3});  // two words and </s>
  for (const autograd::Real b : baseline[0].span()) CHECK((b < 0 && b > -10));
  CHECK(baseline[0][0] < baseline[0][2]);  // at step 0 all words are still to come, at step 2 only the last
  options.model.hard_attention = false;
  CHECK(kept(options).empty());
}

TEST_CASE("accumulated batches make fewer steps, and a stop ends the group") {
  TrainOptions options = tiny();
  options.gradient_accumulation = 3;  // groups of 3 + 3 + 1 batches, of 7
  options.epochs = 1;
  const TemporaryFolder folder;
  const TrainingData data = corpus();
  LoadedRun run = make_run(options, "{}", data::Vocabulary::build(count_words(data.train.pairs, &data::Pair::source)),
                           data::Vocabulary::build(count_words(data.train.pairs, &data::Pair::target)));
  Seq2SeqTask task(run, data);
  Trainer trainer(task, trainer_options(options), {folder.path.string()});
  std::vector<std::size_t> batches;
  TrainingHooks hooks;
  hooks.step = [&](const Progress&) { batches.push_back(trainer.state().sums.batches); };
  trainer.train(hooks);
  CHECK(batches == std::vector<std::size_t>{3, 6, 7});
  CHECK(trainer.state().steps == 3);
}

TEST_CASE("only the requested number of last epochs is kept") {
  TrainOptions options = tiny();
  options.keep_epochs = 2;
  const TemporaryFolder folder;
  train(options, corpus(), folder.path.string(), false);
  CHECK(kept_epochs({folder.path.string()}) == std::vector<std::size_t>{2, 3});
  CHECK(kept_epochs({folder.file("nowhere")}).empty());
  put_file(folder.file("epoch-x.safetensors"), "");
  put_file(folder.file("epoch-07.safetensors"), "");
  CHECK(kept_epochs({folder.path.string()}) == std::vector<std::size_t>{2, 3});
}

TEST_CASE("a changed corpus is noticed, even if it has the same number of pairs") {
  const TemporaryFolder folder;
  const TrainOptions options = tiny();
  const TrainingData data = corpus();
  train(options, data, folder.path.string(), false, 3);
  TrainingData changed = data;
  std::swap(changed.train.pairs[3], changed.train.pairs[4]);
  CHECK_THROWS_WITH(train(options, changed, folder.path.string(), true),
                    Catch::Contains("the training pairs have changed"));
  changed = data;
  changed.valid.pairs[2].target.push_back("w7");
  CHECK_THROWS_WITH(train(options, changed, folder.path.string(), true),
                    Catch::Contains("the validation pairs have changed"));
  CHECK(train(options, data, folder.path.string(), true) == TrainingEnd::finished);
}

TEST_CASE("problems of the corpora or the model are reported before the training begins") {
  const TemporaryFolder folder;
  TrainingData unlinked = corpus();
  for (auto* part : {&unlinked.train, &unlinked.valid})
    for (data::Pair& pair : part->pairs) pair.gold.reset();
  TrainOptions guided = tiny(), aer = tiny();
  guided.objective.guided_alignment = 1;
  aer.keep = BestBy::aer;
  const auto refused = [&](const TrainOptions& options, const TrainingData& data, const std::string& why) {
    CHECK_THROWS_WITH(train(options, data, folder.path.string(), false, 1), Catch::Contains(why));
  };
  refused(guided, unlinked, "no training pair has a sure link");
  refused(aer, unlinked, "no validation pair has gold links");
  guided.model.model = aer.model.model = "encdec";
  refused(guided, corpus(), "--guided-alignment: --model encdec has no attention");
  refused(aer, corpus(), "--keep aer: --model encdec has no attention");
}
