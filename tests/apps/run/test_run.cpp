// These tests open a run of an earlier build with softalign::Run. Its translations and alignments must equal those of
// the programs.
#include "apps/run/run.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "data/io/files.h"
#include "data/io/safetensors.h"
#include "models/checkpoint.h"
#include "tests/apps/training/translating.h"
#include "tests/catch.h"
#include "tests/error_kind.h"
#include "tests/folders.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using Catch::Contains;
using softalign::Link;
using softalign::Run;
using softalign::Translation;

const std::string folder = testing::source_folder() + "/tests/apps/run/old_run/";

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(folder + "expected/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  REQUIRE(!lines.empty());
  return lines;
}

void check_record(const Translation& t, const std::string& json) {
  const auto record = nlohmann::json::parse(json);
  INFO(json);
  CHECK(t.log_prob == Approx(record.at("prob").get<double>()).epsilon(1e-4));
  REQUIRE(t.matrix.size() == record.at("matrix").size());
  for (std::size_t row = 0; row < t.matrix.size(); ++row)
    for (std::size_t s = 0; s < t.matrix[row].size(); ++s)
      CHECK(t.matrix[row][s] == Approx(record.at("matrix")[row][s].get<float>()).margin(1e-4));
  std::vector<std::vector<std::size_t>> links;
  for (const Link& link : t.links) links.push_back({link.source, link.target});
  CHECK(nlohmann::json(links) == record.at("links"));
  CHECK(t.matrix[0].size() == t.source.size() + 1);
}

struct CopyOfRun : TemporaryFolder {
  CopyOfRun() { std::filesystem::copy(folder + "run", path, std::filesystem::copy_options::recursive); }
  std::string kind_opened() const {
    return testing::kind_thrown<softalign::Error>([this] { Run(path.string()); });
  }
  // Opens the run after one option of config.json has been set to another value.
  std::string kind_opened_with(const std::string& option, const nlohmann::json& value) const {
    auto config = nlohmann::ordered_json::parse(data::read_bytes(folder + "run/config.json"));
    config[option] = value;
    put_file(file("config.json"), config.dump());
    return kind_opened();
  }
};

}  // namespace

TEST_CASE("run: one sentence, many sentences and a beam give the output of translate", "[run]") {
  const Run run(folder + "run");
  const auto sources = lines_of("source.txt"), greedy = lines_of("greedy.txt"), beam = lines_of("beam.jsonl");
  const std::vector<Translation> all = run.translate(sources);
  REQUIRE(all.size() == sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    CHECK(all[i].text == greedy[i]);
    CHECK(run.translate(sources[i]).text == greedy[i]);
    check_record(run.translate(sources[i], 3), beam[i]);
  }
}

TEST_CASE("run: a given pair is aligned as by align", "[run]") {
  const Run run(folder + "run");
  for (const std::string& line : lines_of("align.jsonl")) {
    const auto record = nlohmann::json::parse(line);
    check_record(run.align(record.at("source_sent"), record.at("target_sent")), line);
  }
}

TEST_CASE("run: blank sentences have blank translations and keep their positions", "[run]") {
  Run run(folder + "run");
  const Run moved = std::move(run);
  const std::vector<Translation> all = moved.translate(std::vector<std::string>{"", "this treaty", " \t"});
  REQUIRE(all.size() == 3);
  CHECK(all[0].text.empty());
  CHECK(all[0].matrix.empty());
  CHECK(all[1].text == moved.translate("this treaty").text);
  CHECK(all[1].source == std::vector<std::string>{"this", "treaty"});
  CHECK(all[2].target.empty());
}

TEST_CASE("run: errors name their cause", "[run]") {
  CHECK_THROWS_WITH(Run(folder + "nowhere"), Contains("nowhere: no such folder"));
  CHECK_THROWS_AS(Run(folder + "corpus"), softalign::Error);
  const Run run(folder + "run");
  std::string endless;
  for (int i = 0; i < 101; ++i) endless += "treaty ";
  CHECK_THROWS_WITH(run.translate(endless), Contains("101 words") && Contains("at most 100"));
  CHECK_THROWS_WITH(run.translate("\xff"), Contains("UTF-8"));
  CHECK_THROWS_AS(run.align("this treaty", ""), softalign::Error);
}

TEST_CASE("run: the error of a run that cannot be opened has a kind", "[run]") {
  const CopyOfRun copy;
  REQUIRE(copy.kind_opened() == "no error");
  SECTION("a file is missing") {
    CHECK(testing::kind_thrown<softalign::Error>([&] { Run(copy.file("nowhere")); }) == "missing file");
    for (const char* name : {"config.json", "source.vocab", "target.vocab", "model.safetensors"}) {
      INFO(name);
      std::filesystem::rename(copy.file(name), copy.file("away"));
      CHECK(copy.kind_opened() == "missing file");
      std::filesystem::rename(copy.file("away"), copy.file(name));
    }
  }
  SECTION("a folder has the name of a file") {
    std::filesystem::remove(copy.file("source.vocab"));
    std::filesystem::create_directory(copy.file("source.vocab"));
    CHECK(copy.kind_opened() == "io error");
  }
  SECTION("a file was changed: its checksum is wrong, its end is missing or it contradicts other files") {
    const std::string whole = data::read_bytes(copy.file("model.safetensors"));
    std::string changed = whole;
    changed.back() = static_cast<char>(changed.back() ^ 1);
    put_file(copy.file("model.safetensors"), changed);
    CHECK(copy.kind_opened() == "damaged file");
    put_file(copy.file("model.safetensors"), whole.substr(0, whole.size() / 2));
    CHECK(copy.kind_opened() == "damaged file");
    put_file(copy.file("model.safetensors"), whole);
    put_file(copy.file("source.vocab"), data::read_bytes(copy.file("source.vocab")) + "more\n");
    CHECK(copy.kind_opened() == "damaged file");
    put_file(copy.file("config.json"), "{");
    CHECK(copy.kind_opened() == "damaged file");
  }
  SECTION("a checkpoint has a later version or is not a checkpoint") {
    data::write_safetensors(copy.file("model.safetensors"),
                            {{{"format", "softalign checkpoint"}, {"version", "2"}}, {}, nullptr});
    CHECK(copy.kind_opened() == "unsupported format");
    data::write_safetensors(copy.file("model.safetensors"), {{{"format", "pt"}}, {}, nullptr});
    CHECK(copy.kind_opened() == "unsupported format");
  }
  SECTION("a value of config.json is impossible, or two values contradict each other") {
    CHECK(copy.kind_opened_with("hidden", "six") == "bad data");
    CHECK(copy.kind_opened_with("heads", 5) == "bad data");
  }
  SECTION("a model is too large for any memory") { CHECK(copy.kind_opened_with("hidden", 100000) == "out of memory"); }
}

TEST_CASE("run: a run of another task is wrong usage", "[run]") {
  const TemporaryFolder place;
  apps::TrainOptions options = Translating::small();
  options.task = models::Task::language_model;
  complete(options);
  const std::string config = Translating::config_of(options);
  const apps::LoadedRun lm = apps::learn_run(options, config, Translating::pairs());
  save_text(lm, {place.path.string()});
  put_file(place.file("config.json"), config);
  models::save_checkpoint(place.file("model.safetensors"), {.config = config,
                                                            .source_hash = lm.source.hash(),
                                                            .target_hash = lm.target.hash(),
                                                            .parameters = models::named_arrays(lm.params),
                                                            .training = {},
                                                            .counters = {},
                                                            .path = ""});
  CHECK_THROWS_WITH(Run(place.path.string()), Contains("trained for the task language-model and cannot translate"));
  CHECK(testing::kind_thrown<softalign::Error>([&] { Run(place.path.string()); }) == "wrong usage");
}

TEST_CASE("run: an unreadable sentence is bad data", "[run]") {
  const Run run(folder + "run");
  std::string endless;
  for (int i = 0; i < 101; ++i) endless += "treaty ";
  CHECK(testing::kind_thrown<softalign::Error>([&] { run.translate("this treaty"); }) == "no error");
  CHECK(testing::kind_thrown<softalign::Error>([&] { run.translate(endless); }) == "bad data");
  CHECK(testing::kind_thrown<softalign::Error>([&] { run.translate("\xff"); }) == "bad data");
  CHECK(testing::kind_thrown<softalign::Error>([&] { run.align("this treaty", endless); }) == "bad data");
  CHECK(testing::kind_thrown<softalign::Error>([&] { run.align("this treaty", ""); }) == "bad data");
}

TEST_CASE("run: a model whose numbers are too large or not finite is refused", "[run]") {
  const TemporaryFolder copy;
  using std::filesystem::copy_options;
  std::filesystem::copy(folder + "run", copy.path, copy_options::recursive | copy_options::overwrite_existing);
  const std::string path = copy.file("model.safetensors");
  models::Checkpoint checkpoint = models::load_checkpoint(path);
  SECTION("numbers are not finite: the error names the parameter when the model is opened") {
    auto& [name, numbers] = checkpoint.parameters.back();
    for (const float number : {NAN, INFINITY}) {
      numbers[numbers.size() - 1] = number;
      models::save_checkpoint(path, checkpoint);
      CHECK_THROWS_WITH(Run(copy.path.string()), Contains(path + ": ") && Contains(name + " has NaN or infinity"));
    }
  }
  SECTION("products overflow: the error comes at the pair") {
    for (auto& [name, array] : checkpoint.parameters)
      for (std::size_t i = 0; i < array.size(); ++i) array[i] = array[i] > 0 ? 3e38f : -3e38f;
    models::save_checkpoint(path, checkpoint);
    const Run run(copy.path.string());
    CHECK_THROWS_WITH(run.align("this treaty", "ce traité"), Contains("line 1 of the pairs") && Contains("log-prob"));
    CHECK_THROWS_WITH(run.translate("this treaty"), Contains("no probabilities"));
  }
}
