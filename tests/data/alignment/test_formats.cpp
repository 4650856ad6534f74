#include "data/alignment/formats/formats.h"

#include <cmath>

#include "autograd/storage/random.h"
#include "data/alignment/record_json.h"
#include "tests/catch.h"
#include "tests/data/alignment/format_cases.h"

using namespace data;
using testing::love;

namespace {

Record random_record(size_t id, size_t source_words, size_t target_words, autograd::Random& random) {
  static const Tokens words{"chat", "l'", "été", "|", "-", "</s", "日本", "0-0", "a,b", "\"quoted\""};
  Record r;
  r.id = id;
  for (size_t i = 0; i < source_words; ++i) r.source.push_back(words[random.below(words.size())]);
  for (size_t i = 0; i < target_words; ++i) r.target.push_back(words[random.below(words.size())]);
  r.source_eos = random.below(4) > 0;
  r.target_eos = random.below(4) > 0;
  for (size_t t = 0; t < target_words + r.target_eos; ++t) {
    std::vector<float> row(source_words + r.source_eos);
    double sum = 0;
    for (float& weight : row) sum += weight = static_cast<float>(std::pow(random.uniform(), 8.0));
    for (float& weight : row) weight = static_cast<float>(weight / sum);
    r.matrix.push_back(row);
  }
  complete(r);
  return r;
}

std::vector<Record> random_records() {
  autograd::Random random(7);
  std::vector<Record> records;
  for (size_t i = 0; i < 60; ++i) {
    records.push_back(random_record(i, 1 + random.below(12), 1 + random.below(12), random));
  }
  return records;
}

void check_same_matrix(const Matrix& found, const Matrix& expected, float tolerance) {
  REQUIRE(found.size() == expected.size());
  for (size_t t = 0; t < found.size(); ++t) {
    REQUIRE(found[t].size() == expected[t].size());
    for (size_t s = 0; s < found[t].size(); ++s) CHECK(std::abs(found[t][s] - expected[t][s]) <= tolerance);
  }
}

std::string written(const std::string& format) { return write(format_named(format), love()); }

}  // namespace

TEST_CASE("a format that nobody knows is misuse") {
  CHECK(testing::has(testing::misuse([] { format_named("xml"); }), "unknown alignment format xml"));
}

TEST_CASE("each format is written as its system writes it") {
  CHECK(written("pharaoh") == "0-0 1-2 2-1\n");
  CHECK(written("tsv") == "i love you\tje t' aime\t0-0 1-2 2-1\n");
  CHECK(written("hard") == "je t' aime ||| 0-0 1-2 2-1\n");
  CHECK(written("fairseq") == "A-0\t0-0 1-2 2-1\n");
  CHECK(written("soft") == "je t' aime ||| 0.94,0.02,0.04,0 0.11,0.01,0.88,0 0.03,0.95,0.02,0 0,0,0,1\n");
  CHECK(written("nematus") ==
        "0 ||| je t' aime ||| 0 ||| i love you ||| 4 4\n"
        "0.94 0.02 0.04 0\n0.11 0.01 0.88 0\n0.03 0.95 0.02 0\n0 0 0 1\n\n");
  CHECK(written("sockeye") ==
        "0 ||| je t' aime </s> ||| 0 ||| i love you </s> ||| 4 ||| 4\n"
        "0.94 0.11 0.03 0\n0.02 0.01 0.95 0\n0.04 0.88 0.02 0\n0 0 0 1\n\n");
  CHECK(written("bertviz") ==
        R"({"attention":[{"name":"Cross","attn":[[[[0.94,0.02,0.04,0.0],[0.11,0.01,0.88,0.0],[0.03,0.95,0.02,0.0],)"
        R"([0.0,0.0,0.0,1.0]]]],"left_text":["je","t'","aime","</s>"],"right_text":["i","love","you","</s>"]}]})"
        "\n");
  CHECK(written("t2t") ==
        R"({"inp_out":{"att":[[[[0.94,0.02,0.04,0.0],[0.11,0.01,0.88,0.0],[0.03,0.95,0.02,0.0],[0.0,0.0,0.0,1.0]]]],)"
        R"("top_text":["i","love","you","</s>"],"bot_text":["je","t'","aime","</s>"]}})"
        "\n");
}

TEST_CASE("the score of a sentence is its cost") {
  Record r = love();
  r.logprob = {-.5f, -.25f, -.125f, -.125f};
  CHECK(testing::has(write(format_named("nematus"), r), "0 ||| je t' aime ||| 1 ||| i love you ||| 4 4\n"));
  CHECK(testing::has(write(format_named("sockeye"), r), "</s> ||| 1 ||| i love"));
}

TEST_CASE("what is written is read back as far as the format holds it") {
  const std::vector<Record> records = random_records();
  for (const Format& format : formats()) {
    INFO(format.name);
    std::string text;
    for (const Record& record : records) text += write(format, record);
    const std::vector<Record> back = testing::read_text(format.name, text, testing::pairs_of(records));
    REQUIRE(back.size() == records.size());
    for (size_t i = 0; i < back.size(); ++i) {
      INFO(i << ": " << write(format, records[i]));
      CHECK(back[i].id == i);
      CHECK(back[i].source == records[i].source);
      CHECK(back[i].target == records[i].target);
      CHECK(back[i].links == records[i].links);
      if (!format.weights) {
        CHECK(back[i].matrix.empty());
        continue;
      }
      CHECK(back[i].source_eos == records[i].source_eos);
      CHECK(back[i].target_eos == records[i].target_eos);
      check_same_matrix(back[i].matrix, records[i].matrix, format.name == "jsonl" ? 1e-6f : 0);
      CHECK(back[i].entropy.size() == records[i].matrix.size());
    }
  }
}

TEST_CASE("the heads of cross-attention go into the visualisers and come back") {
  Record r = love();
  const Matrix other{{0, 0, 0, 1}, {1, 0, 0, 0}, {0, .5f, .5f, 0}, {.25f, .25f, .25f, .25f}};
  const Matrix self(4, std::vector<float>(4, .25f));
  r.heads = {{0, 0, "cross", r.matrix}, {0, 1, "cross", other}, {1, 0, "self", self}};
  for (const std::string name : {"bertviz", "t2t"}) {
    INFO(name);
    const Record back = testing::read_text(name, write(format_named(name), r), {}).at(0);
    REQUIRE(back.heads.size() == 2);
    for (size_t h = 0; h < 2; ++h) {
      CHECK(back.heads[h].layer == 0);
      CHECK(back.heads[h].head == h);
      CHECK(back.heads[h].kind == "cross");
      CHECK(back.heads[h].matrix == r.heads[h].matrix);
    }
    check_same_matrix({back.matrix[0]}, {{.47f, .01f, .02f, .5f}}, 1e-6f);  // the mean
  }
}

TEST_CASE("files as the other systems write them") {
  const std::vector<Pair> pairs = testing::pairs_of({love()});
  const auto only = [&](const std::string& format, const std::string& text) {
    const std::vector<Record> records = testing::read_text(format, text, pairs);
    REQUIRE(records.size() == 1);
    return records[0];
  };
  SECTION("the Nematus scorer's JSON has no schema") {
    const Record r = only("jsonl", R"({"matrix":[[0.9,0.1,0],[0.2,0.7,0.1],[0,0,1]],"source_sent":"a b",)"
                                   R"("target_sent":"c d","id":3,"prob":0})");
    CHECK(r.id == 3);
    CHECK(r.source == Tokens{"a", "b"});
    CHECK((r.source_eos && r.target_eos));
    CHECK(r.links == Links{{0, 0}, {1, 1}});
    CHECK(r.logprob.empty());
    CHECK(from_json(to_json(r), "f:1").links == r.links);  // a whole record now
  }
  SECTION("Nematus puts a space behind each row") {
    CHECK(only("nematus", "0 ||| b ||| 0 ||| a ||| 2 2\n0.75 0.25 \n0.5 0.5 \n \n").matrix ==
          Matrix{{.75f, .25f}, {.5f, .5f}});
  }
  SECTION("Marian links </s> like a word") {
    CHECK(only("hard", "x y ||| 0-0 2-1 3-2 1-2\n").links == Links{{0, 0}, {2, 1}});
  }
  SECTION("Marian rounds to six digits, others to fewer") {
    CHECK(only("soft", "x ||| 0.333,0.333,0.333,0 1e-50,0,0,1").matrix[0][1] == Approx(1.0 / 3).epsilon(1e-6));
  }
  SECTION("Sockeye cuts the source's </s> off") {
    const Record r = only("sockeye", "0 ||| c d ||| -1.5 ||| a b ||| 2 ||| 2\n0.5 0.1\n0.5 0.2\n\n");
    CHECK((r.source_eos && !r.target_eos));
    CHECK(r.matrix[0][2] == 0);
    CHECK(r.matrix[1][2] == Approx(.7));
    CHECK(r.links == Links{{0, 0}});  // the second word looks at </s>
  }
  SECTION("Sockeye on an empty line") {
    const Record r = only("sockeye", "4 |||  ||| 0 |||  ||| 0 ||| 0\n\n");
    CHECK(r.id == 4);
    CHECK((r.source.empty() && r.target.empty() && r.matrix.empty() && !r.source_eos && !r.target_eos));
  }
  SECTION("possible links are links") {
    CHECK(only("pharaoh", "0-0 2?1 1p1\n").links == Links{{0, 0}, {1, 1}, {2, 1}});
  }
  SECTION("fairseq prints more than alignments, in its own order, n best") {
    const std::string text = "S-1\ta b c\nT-1\tx\nH-1\t-0.3\tx\nD-1\t-0.3\tx\nP-1\t-0.1\nA-1\t0-0\nA-0\t2-0\nA-0\t\n";
    const auto records = testing::read_text("fairseq", text, testing::pairs_of({love(), love()}));
    REQUIRE(records.size() == 3);
    CHECK(records[0].id == 0);
    CHECK(records[0].links == Links{{2, 0}});
    CHECK(records[1].rank == 1);
    CHECK(records[1].links.empty());
    CHECK(records[2].id == 1);
  }
  SECTION("fairseq's weights are Marian's") {
    CHECK(only("fairseq", "A-0\t.94,.02,.04,0 .11,.01,.88,0 .03,.95,.02,0 0,0,0,1").matrix == love().matrix);
  }
}
