// The trainer does not depend on translation: the same loop trains a language model, stops it early, resumes it and
// detects divergence.
#include <regex>
#include <stdexcept>

#include "apps/run/run_files.h"
#include "tests/apps/training/language_model.h"
#include "tests/apps/training/run_contents.h"
#include "tests/apps/training/translating.h"
#include "tests/models/training/student.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace apps;
using language_model::LanguageModel;

LanguageModel rising() { return {language_model::rising_lines(30, 1), language_model::rising_lines(6, 2)}; }

// An epoch has 8 batches, so 4 steps.
TrainerOptions options() {
  return {.epochs = 3, .gradient_accumulation = 2, .schedule = {.learning_rate = 1e-2}, .ema = .5, .keep_epochs = 1};
}

std::vector<nlohmann::json> lines_of(const std::string& file) {
  std::vector<nlohmann::json> lines;
  std::istringstream text(data::read_bytes(file));
  for (std::string line; std::getline(text, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

// The error message of a training whose first parameter becomes NaN after `epochs` epochs.
std::string divergence(TrainingTask& task, std::size_t epochs) {
  const TemporaryFolder folder;
  Trainer trainer(task, {.epochs = 2}, {folder.path.string()});
  const auto spoil = [&] {
    const auto numbers = autograd::Var(task.params().all()[0].var).mutable_value().span();
    std::fill(numbers.begin(), numbers.end(), NAN);
  };
  TrainingHooks hooks;
  hooks.epoch = [&](const EpochReport& report) {
    if (report.epoch == epochs) spoil();
  };
  if (epochs == 0) spoil();
  try {
    trainer.train(hooks);
  } catch (const models::Diverged& error) {
    return std::regex_replace(error.what(), std::regex(folder.path.string()), "RUN");
  }
  return "";
}

}  // namespace

TEST_CASE("a language model learns, and its files describe it", "[task]") {
  const TemporaryFolder folder;
  const RunFolder run{folder.path.string()};
  LanguageModel task = rising();
  TrainerOptions longer = options();
  longer.epochs = 30;
  double first = 0;
  TrainingHooks hooks;
  hooks.epoch = [&](const EpochReport& report) {
    if (report.epoch == 1) first = task.loss();
  };
  CHECK(Trainer(task, longer, run).train(hooks) == TrainingEnd::finished);
  CHECK(task.loss() < .6 * first);
  const auto metrics = lines_of(run.metrics()), history = lines_of(run.history());
  REQUIRE(metrics.size() == 30);
  CHECK(metrics.back().at("valid") == nlohmann::json{{"loss", task.loss()}});
  CHECK(metrics.back().at("train_bits").get<double>() ==
        Approx(metrics.back().at("train_loss").get<double>() / std::log(2.)));
  CHECK_FALSE(metrics.back().contains("train_perplexity"));
  CHECK(metrics.back().at("steps") == 30 * 4);
  REQUIRE(history.size() == 30);
  CHECK(history.back().at("epoch") == 30);
  CHECK(kept_epochs(run) == std::vector<std::size_t>{30});
}

TEST_CASE("a language model stops early and keeps the best epoch", "[task]") {
  const TemporaryFolder folder;
  const RunFolder run{folder.path.string()};
  // The validation lines fall through the alphabet and the training lines rise, so learning more makes validation
  // worse.
  language_model::Lines falling = language_model::rising_lines(6, 2);
  for (std::string& line : falling) std::reverse(line.begin(), line.end());
  LanguageModel task(language_model::rising_lines(30, 1), falling);
  TrainerOptions patient = options();
  patient.epochs = 100;
  patient.patience = 4;
  patient.keep_epochs = 100;
  Trainer trainer(task, patient, run);
  CHECK(trainer.train({}) == TrainingEnd::stopped_early);
  const std::size_t last = trainer.state().epoch - 1, best = trainer.state().best_epoch;
  CHECK(last < 100);
  CHECK(last == best + 4);
  const auto metrics = lines_of(run.metrics());
  REQUIRE(metrics.size() == last);
  for (const nlohmann::json& line : metrics) {
    CHECK(line.at("valid").at("loss") >= metrics[best - 1].at("valid").at("loss"));
  }
  CHECK((data::read_bytes(run.model()) == data::read_bytes(epoch_file(run, best))));
}

TEST_CASE("an interrupted or killed training of a language model resumes to the same bytes", "[task]") {
  const TemporaryFolder folder;
  TrainerOptions saving = options();
  saving.save_every = 3;
  const auto train = [&](const std::string& path, bool resume, const TrainingHooks& hooks) {
    std::filesystem::create_directories(path);
    LanguageModel task = rising();
    Trainer trainer(task, saving, {path});
    if (resume) trainer.resume();
    return trainer.train(hooks);
  };
  REQUIRE(train(folder.file("whole"), false, {}) == TrainingEnd::finished);
  const auto whole = contents(folder.file("whole"));
  for (std::size_t stop = 1; stop <= 12; ++stop) {
    INFO("stopped after step " << stop);
    std::size_t steps = 0;
    TrainingHooks interrupted, killed;
    interrupted.interrupted = [&] { return ++steps == stop; };
    REQUIRE(train(folder.file(fmt::format("stopped-{}", stop)), false, interrupted) == TrainingEnd::interrupted);
    train(folder.file(fmt::format("stopped-{}", stop)), true, {});
    check_same(contents(folder.file(fmt::format("stopped-{}", stop))), whole);
    if (stop <= 3) continue;  // no state has been saved yet
    steps = 0;
    killed.step = [&](const Progress&) {
      if (++steps == stop) throw std::runtime_error("killed");
    };
    CHECK_THROWS_WITH(train(folder.file(fmt::format("killed-{}", stop)), false, killed), "killed");
    train(folder.file(fmt::format("killed-{}", stop)), true, {});
    check_same(contents(folder.file(fmt::format("killed-{}", stop))), whole);
  }
}

TEST_CASE("a changed text is noticed, and the message uses the words of the task", "[task]") {
  const TemporaryFolder folder;
  LanguageModel task = rising();
  Trainer(task, options(), {folder.path.string()}).train({});
  LanguageModel other(language_model::rising_lines(30, 7), language_model::rising_lines(6, 2));
  Trainer trainer(other, options(), {folder.path.string()});
  CHECK_THROWS_WITH(trainer.resume(), Catch::Contains("the training lines have changed since this training started"));
}

TEST_CASE("a language model and a translation model diverge with the same message", "[task]") {
  LanguageModel model({"abc"}, {"ab"});
  Translating translating;
  const std::string no_model = "No epoch has ended, so there is no model yet";
  const auto expected = [&](const std::string& step, const std::string& parameter, const std::string& examples,
                            const std::string& kept) {
    return std::regex(step + ": the loss is -?nan; first parameter with NaN or Inf: " + parameter +
                      " \\(its value\\). The batch was\n" + examples + "\nFirst NaN or Inf: parameter " + parameter +
                      " before the step: the previous update produced NaN or Inf; then op [a-z_]+, " +
                      "forwards: its value \\([0-9, ]+\\) is not finite; from .*" + parameter + " not finite.*\n" +
                      "train --replay RUN/diverged.safetensors repeats the step\n" + kept +
                      ". A lower --lr or --clip may help.");
  };
  const std::string of_model = divergence(model, 0), of_translation = divergence(translating.task, 0);
  INFO(of_model << "\n\n" << of_translation);
  CHECK(std::regex_match(of_model,
                         expected("step 1 \\(epoch 1\\)", "letters/E \\(28, 12\\)", "  line 1: abc", no_model)));
  CHECK(std::regex_match(of_translation, expected("step 1 \\(epoch 1\\)", "[a-z/]+E \\([0-9, ]+\\)",
                                                  "  line [12]: [a-z]+ know\n  line [12]: [a-z]+ know", no_model)));
  LanguageModel later({"abc"}, {"ab"});
  const std::string after = divergence(later, 1);
  INFO(after);
  CHECK(std::regex_match(after, expected("step 2 \\(epoch 2\\)", "letters/E \\(28, 12\\)", "  line 1: abc",
                                         "RUN/model.safetensors is the best model, of epoch 1")));
}

TEST_CASE("a NaN validation loss ends the training and is never the best epoch", "[task]") {
  struct Lost : LanguageModel {
    using LanguageModel::LanguageModel;
    Validation validate(std::size_t epoch) override {
      Validation valid = LanguageModel::validate(epoch);
      if (epoch == first) valid.loss = valid.quality = NAN;
      return valid;
    }
    std::size_t first = 1;
  };
  for (const std::size_t first : {1, 2}) {
    const TemporaryFolder folder;
    const RunFolder run{folder.path.string()};
    Lost task(language_model::rising_lines(4, 1), language_model::rising_lines(2, 2));
    task.first = first;
    Trainer trainer(task, {.epochs = 3}, run);
    const std::string kept = first == 1 ? "there is no model yet" : "is the best model, of epoch 1";
    CHECK_THROWS_WITH(trainer.train({}), Catch::Contains("the validation loss is nan") && Catch::Contains(kept));
    CHECK(std::filesystem::exists(run.model()) == (first == 2));
  }
}

TEST_CASE("a training that was killed before it deleted an epoch deletes it when it resumes", "[task]") {
  const TemporaryFolder folder;
  const RunFolder run{folder.path.string()};
  LanguageModel task = rising();
  Trainer(task, options(), run).train({});
  data::write_file(epoch_file(run, 2), "left");
  LanguageModel again = rising();
  Trainer trainer(again, options(), run);
  trainer.resume();
  CHECK(trainer.train({}) == TrainingEnd::finished);
  CHECK(kept_epochs(run) == std::vector<std::size_t>{3});
}

TEST_CASE("the kernels of a training are active only while it runs", "[task]") {
  struct Watching : LanguageModel {
    using LanguageModel::LanguageModel;
    std::vector<double> forward_backward(const autograd::Indices& batch, const StepPart& step) override {
      CHECK(autograd::kernels() == autograd::Kernels::composed);
      return LanguageModel::forward_backward(batch, step);
    }
  };
  const TemporaryFolder folder;
  Watching task(language_model::rising_lines(4, 1), language_model::rising_lines(2, 2));
  Trainer(task, {.epochs = 1, .kernels = autograd::Kernels::composed}, {folder.path.string()}).train({});
  CHECK(autograd::kernels() == autograd::Kernels::fused);
}
