// Whether a corpus is of make_corpus, which alone may be replaced by it.
#include "data/synthetic/earlier_output.h"

#include "data/synthetic/synthetic.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"

using namespace softalign;
using namespace data;
using testing::has;

TEST_CASE("what is not there yet is no problem, another task or an empty file is one") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  CHECK(has(problem_of_earlier_output(path, "train", *find_synthetic_corpus("entailment")), "task"));  // is not there
  folder.file("task", "entailment\n");
  CHECK(problem_of_earlier_output(path, "train", *find_synthetic_corpus("entailment")).empty());
  CHECK(has(problem_of_earlier_output(path, "train", *find_synthetic_corpus("facts")),
            "its file task does not say questions"));
  folder.file("train.tsv", "");
  CHECK_FALSE(problem_of_earlier_output(path, "train", *find_synthetic_corpus("entailment")).empty());
  folder.file("train.tsv", "\n");
  CHECK_FALSE(problem_of_earlier_output(path, "train", *find_synthetic_corpus("entailment")).empty());
  CHECK(problem_of_earlier_pairs(path + "/none.tsv").empty());
}

TEST_CASE("pictures alone, without their captions, are no corpus as it is drawn") {
  const TemporaryFolder folder;
  folder.file("task", "captioning\n");
  std::filesystem::create_directory(folder.path / pictures_folder("train"));
  CHECK(has(problem_of_earlier_output(folder.path.string(), "train", *find_synthetic_corpus("shapes")), "train.tsv"));
}

TEST_CASE("texts as they are drawn are no problem, and others are") {
  const TemporaryFolder folder;
  const SyntheticCorpus& repeats = *find_synthetic_corpus("repeats");
  const std::vector<SyntheticExample> drawn = draw_different(repeats, 3, 1);
  const std::string text = files_of("train", drawn).front().bytes;
  folder.file("task", "language-model\n");
  folder.file("train.tsv", text);
  CHECK(problem_of_earlier_output(folder.path.string(), "train", repeats).empty());
  folder.file("train.tsv", text + "one more\n");
  CHECK_FALSE(problem_of_earlier_output(folder.path.string(), "train", repeats).empty());
}
