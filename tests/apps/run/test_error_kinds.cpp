// These tests check the kinds of errors of run folders, training states and options.
#include <cmath>
#include <string>

#include "apps/run/memory_need.h"
#include "apps/run/output_folder.h"
#include "apps/run/run_folder.h"
#include "apps/training/metrics.h"
#include "apps/training/state.h"
#include "tests/apps/training/translating.h"
#include "tests/catch.h"
#include "tests/error_kind.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace apps;
using testing::kind_thrown;

}  // namespace

TEST_CASE("error kinds: incompatible options are wrong usage", "[options]") {
  CHECK(kind_thrown([] { throw UsageError("--beam"); }) == "wrong usage");
  TrainOptions options;
  options.model.coverage = false;
  options.objective.coverage = 1;
  CHECK(kind_thrown([&] { check(options); }) == "wrong usage");
}

TEST_CASE("error kinds: a size beyond any machine's memory is refused as out of memory", "[memory]") {
  CHECK(kind_thrown([] { check_memory("the model", {{"parameters", 1e30}}, "take fewer"); }) == "out of memory");
  CHECK(kind_thrown([] { check_memory("the model", {{"parameters", 1}}, "take fewer"); }) == "no error");
}

TEST_CASE("error kinds: a folder is missing, in use or not empty", "[run]") {
  const TemporaryFolder folder;
  const std::string nowhere = folder.file("nowhere"), file = folder.file("file", "a");
  CHECK(kind_thrown([&] { load_run(nowhere); }) == "missing file");
  CHECK(kind_thrown([&] { load_run(folder.path.string()); }) == "missing file");  // the folder contains no model
  CHECK(kind_thrown([&] { make_folder({file}); }) == "io error");
  CHECK(kind_thrown([&] { check_replaceable({folder.path.string()}, false); }) == "io error");
  const FolderLock lock({folder.path.string()});
  CHECK(kind_thrown([&] { check_lockable({folder.path.string()}); }) == "io error");
}

TEST_CASE("error kinds: a training state is missing, damaged, of another format or of another corpus", "[task]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("last.safetensors");
  const Translating translating;
  const Seq2SeqTask& task = translating.task;
  const auto kind_of_state = [&](const TrainingState& state) {
    save_state(path, task, {}, state);
    return kind_thrown([&] { load_state(path, task, {}, 1); });
  };
  CHECK(kind_thrown([&] { load_state(path, task, {}, 1); }) == "missing file");
  CHECK(kind_of_state(first_state(task)) == "no error");
  TrainingState state = first_state(task);
  state.steps = 9;
  CHECK(kind_of_state(state) == "damaged file");
  state = first_state(task);
  state.training_hash += 1;
  CHECK(kind_of_state(state) == "bad data");
  models::save_checkpoint(path, task.checkpoint());  // a file of a model has no counters of a training
  CHECK(kind_thrown([&] { load_state(path, task, {}, 1); }) == "unsupported format");
  state = first_state(task);
  state.best_epoch = 1;
  CHECK(kind_thrown([&] { holds_best(folder.file("model.safetensors"), task, state); }) == "missing file");
}

TEST_CASE("error kinds: a metrics file became shorter or has a damaged line", "[task]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("metrics.jsonl", "{}\n");
  CHECK(kind_thrown([&] { Journal(path, 100); }) == "damaged file");
  CHECK(kind_thrown([&] { read_curve(path, 3); }) == "damaged file");
  CHECK(kind_thrown([&] { Journal(folder.file("no/folder"), 0); }) == "missing file");
}
