// Synthetic corpora: the same seed gives the same lines, and no content occurs twice. The readers accept the lines and
// pictures, and gold links point at what the words name.
#include <set>
#include <stdexcept>

#include "data/corpus/corpus.h"
#include "data/corpus/readers.h"
#include "data/io/files.h"
#include "data/pictures/captions.h"
#include "data/pictures/shapes.h"
#include "data/pictures/synthetic_captions.h"
#include "data/synthetic/synthetic.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/temporary.h"

using namespace softalign;
using namespace data;
using testing::has;

namespace {

using namespace data;
using Catch::Matchers::Contains;

const SyntheticCorpus& corpus_named(std::string_view name) {
  for (const SyntheticCorpus& corpus : synthetic_corpora())
    if (corpus.name == name) return corpus;
  throw std::out_of_range(std::string(name));
}

// The colour of the pixels below a box that do not belong to the background.
Colour painted(const Picture& picture, const Box& box) {
  std::set<Colour> bright;
  for (size_t i = box.top; i < box.top + box.height; ++i)
    for (size_t j = box.left; j < box.left + box.width; ++j) {
      const auto at = picture.rgb.begin() + static_cast<std::ptrdiff_t>((i * picture.width + j) * 3);
      const Colour colour{at[0], at[1], at[2]};
      if (*std::max_element(colour.begin(), colour.end()) > 180) bright.insert(colour);
    }
  REQUIRE(bright.size() == 1);
  return *bright.begin();
}

Colour colour_of(std::string_view name) {
  Picture one{shape_side, shape_side, std::vector<std::uint8_t>(shape_side * shape_side * 3)};
  const size_t colour =
      static_cast<size_t>(std::find(colour_names.begin(), colour_names.end(), name) - colour_names.begin());
  draw_shape(one, 0, colour, 0, 0);
  return painted(one, {0, 0, shape_side, shape_side});
}

}  // namespace

TEST_CASE("synthetic corpora: equal seeds give equal examples, other seeds give others, and none occurs twice") {
  for (const SyntheticCorpus& corpus : synthetic_corpora()) {
    INFO(corpus.name);
    const std::vector<SyntheticExample> drawn = draw_different(corpus, 300, 5), again = draw_different(corpus, 300, 5),
                                        other = draw_different(corpus, 300, 6);
    std::set<std::string> contents;
    size_t same = 0;
    for (size_t i = 0; i < drawn.size(); ++i) {
      contents.insert(drawn[i].content);
      CHECK(drawn[i].line == again[i].line);
      CHECK(drawn[i].line.find('\n') == std::string::npos);
      REQUIRE(drawn[i].picture.has_value() == again[i].picture.has_value());
      if (drawn[i].picture) CHECK(drawn[i].picture->rgb == again[i].picture->rgb);
      same += drawn[i].line == other[i].line;
    }
    CHECK(contents.size() == 300);
    CHECK(same < 30);
  }
}

TEST_CASE("synthetic corpora: an error reports how many examples there were if there are too few") {
  const SyntheticCorpus two{"two", "", "", {}, [](autograd::Random& random) {
                              return SyntheticExample{{}, std::to_string(random.below(2)), {}};
                            }};
  CHECK(draw_different(two, 2, 1).size() == 2);
  CHECK_THROWS_WITH(draw_different(two, 3, 1), Contains("two: the program found no new example in") &&
                                                   Contains("attempts, and has 2 of 3 examples. Generate fewer"));
}

TEST_CASE("synthetic pictures with captions are read, with cells for each word of a colour or shape") {
  const TemporaryFolder folder;
  for (const std::string name : {"shapes", "scenes"}) {
    const std::vector<SyntheticExample> drawn = draw_different(corpus_named(name), 40, 1);
    write_file_set(folder.path.string(), files_of(name, drawn));
    const Picture& first = *drawn.front().picture;
    const Corpus corpus = read_captions((folder.path / (name + ".tsv")).string(),
                                        {first.height, first.width, first.height / 4, first.width / 4});
    REQUIRE(corpus.pairs.size() == 40);
    for (size_t i = 0; i < drawn.size(); ++i) {
      const Pair& pair = corpus.pairs[i];
      CHECK(pair.picture->rgb == drawn[i].picture->rgb);
      REQUIRE(pair.gold);
      std::set<size_t> words;
      for (const Link& link : pair.gold->possible) words.insert(link.target);
      std::set<size_t> expected;
      for (size_t j = 0; j < pair.target.size(); ++j)
        for (const char* not_seen : {"a", "above", "left-of", ",", "and"})
          if (pair.target[j] == not_seen) expected.insert(j);
      CHECK(words.size() + expected.size() == pair.target.size());
      for (const size_t word : words) CHECK(expected.count(word) == 0);
    }
  }
}

TEST_CASE("repeats: links lead from each repeated thing to its last mention by the same name") {
  const TemporaryFolder folder;
  write_file_set(folder.path.string(), files_of("texts", draw_different(corpus_named("repeats"), 200, 1)));
  for (const Pair& text : read_texts((folder.path / "texts.tsv").string(), false).pairs) {
    const Tokens& words = text.target;
    REQUIRE(words.size() == 24);
    REQUIRE(text.gold);
    Links expected;
    for (size_t again = 2; again < words.size(); again += 4)
      for (size_t said = again; said >= 4;) {
        said -= 4;
        if (words[said - 2] != words[again - 2]) continue;
        CHECK(words[said] == words[again]);
        expected.push_back({said, again});
        break;
      }
    std::sort(expected.begin(), expected.end());
    CHECK(!expected.empty());
    CHECK(text.gold->sure == expected);
  }
}

TEST_CASE("scenes: words are above what they name, from left to right, and large things are twice as large") {
  autograd::Random random(2);
  std::set<size_t> counts;
  for (int n = 0; n < 200; ++n) {
    const Scene scene = draw_scene(random);
    REQUIRE(scene.caption.size() == scene.boxes.size());
    size_t objects = 0, right_of_the_last = 0;
    for (size_t j = 0; j < scene.caption.size(); ++j) {
      if (scene.caption[j] != "large" && scene.caption[j] != "small") continue;
      const Box& box = scene.boxes[j].value();
      CHECK((box.width == shape_side * (scene.caption[j] == "large" ? 2 : 1) && box.height == box.width));
      CHECK((box.left >= right_of_the_last && box.left + box.width <= scene.picture.width));
      CHECK(painted(scene.picture, box) == colour_of(scene.caption.at(j + 1)));
      CHECK(scene.boxes.at(j + 2)->top == box.top);
      right_of_the_last = box.left + box.width;
      ++objects;
    }
    counts.insert(objects);
  }
  CHECK(counts == std::set<size_t>{2, 3, 4});
}

// The next test checks how make_corpus recognises its own corpora, the only ones that it may replace.

TEST_CASE("a missing file is no problem, but another task or an empty file is one") {
  const TemporaryFolder folder;
  const std::string path = folder.path.string();
  // There is no file `task`.
  CHECK(has(problem_of_earlier_output(path, "train", *find_synthetic_corpus("entailment")), "task"));
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

TEST_CASE("pictures without captions are not a synthetic corpus") {
  const TemporaryFolder folder;
  folder.file("task", "captioning\n");
  std::filesystem::create_directory(folder.path / pictures_folder("train"));
  CHECK(has(problem_of_earlier_output(folder.path.string(), "train", *find_synthetic_corpus("shapes")), "train.tsv"));
}

TEST_CASE("synthetic texts have no problem, and other texts have one") {
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
