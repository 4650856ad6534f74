// These tests check the experiments without a corpus: their data, their training, their files.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "apps/addressing/neural_computer.h"
#include "apps/addressing/turing_machine.h"
#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/language_models/intra_attention.h"
#include "apps/pictures/cell_pictures.h"
#include "apps/pictures/gates.h"
#include "apps/sentence_pairs/entailment.h"
#include "apps/stories/memory_network.h"
#include "autograd/ops/reduce.h"
#include "data/io/files.h"
#include "data/pictures/synthetic_tasks.h"
#include "layers/init.h"
#include "tests/catch.h"
#include "tests/temporary.h"

using namespace softalign;

namespace {

using namespace apps;
using Catch::Matchers::Contains;

}  // namespace

TEST_CASE("experiments: the answer of a sequence is at its gold position, and equal seeds give equal sequences") {
  for (const std::string task : {"reverse", "rotate"}) {
    const SequenceBatches batches(task, 7, 3, 2, 1);
    for (const std::size_t which : {0, 1}) {
      const Labelled batch = batches.labelled(which);
      REQUIRE(batch.words.size() == 21);
      for (std::size_t row = 0; row < 21; ++row)
        CHECK(batch.labels[row] == batch.words[static_cast<std::size_t>(batch.gold[row]) * 3 + row % 3]);
    }
    CHECK(SequenceBatches(task, 7, 3, 2, 1).labelled(1).words == batches.labelled(1).words);
    CHECK(SequenceBatches(task, 7, 3, 2, 2).labelled(1).words != batches.labelled(1).words);
  }
  const Labelled twins = SequenceBatches("twin", 8, 4, 1, 1).labelled(0);
  for (std::size_t row = 0; row < 32; ++row) {
    const auto letter = [&](std::size_t at) { return (twins.words[at] - 52) / 4; };
    const std::size_t gold = static_cast<std::size_t>(twins.gold[row]) * 4 + row % 4;
    CHECK(gold != row);
    CHECK(letter(gold) == letter(row));
    CHECK((twins.words[gold] - 52) % 4 == twins.labels[row]);
  }
}

TEST_CASE("experiments: the answer is the value of the last pair with the queried key") {
  for (const std::string task : {"recall", "rewrite"}) {
    const Recalled batch = SequenceBatches(task, 13, 5, 1, 1).recalled(0);
    REQUIRE(batch.n == 6);
    for (std::size_t b = 0; b < 5; ++b) {
      std::size_t last = batch.n;
      for (std::size_t i = 0; i < batch.n; ++i)
        if (batch.keys[i * 5 + b] == batch.asked[b]) last = i;
      REQUIRE(last < batch.n);
      CHECK(static_cast<std::size_t>(batch.gold[b]) == last);
      CHECK(batch.answers[b] == batch.values[last * 5 + b]);
    }
  }
}

TEST_CASE("experiments: a tagger learns to attend to the relevant word") {
  const TaggingTask task{.name = "reverse", .length = 4, .steps = 250, .batch = 16, .rate = 5e-3};
  const TaggerScores reached =
      TrainedTagger(models::Tagger::Layer::attention, layers::PositionKind::sinusoidal, task, 1).reach(4);
  CHECK(reached.accuracy > 95);
  CHECK(reached.hit.value() > 95);
  CHECK(reached.mass.value() > 40);
  CHECK_FALSE(TrainedTagger(models::Tagger::Layer::convolution, layers::PositionKind::none,
                            {.name = "reverse", .length = 4, .steps = 1}, 1)
                  .reach(4)
                  .hit);
}

TEST_CASE("experiments: only the cell in the middle of an object has a label") {
  const auto draw = [](std::uint64_t seed) {
    return CellPictures<data::Twins>(
        3, seed, data::draw_twins,
        [](const data::Twins& twins, const data::Twins::Object& object) { return twins.objects[object.twin].colour; });
  };
  const CellPictures<data::Twins> batch = draw(7);
  REQUIRE(batch.values.shape() == autograd::Shape{32 * 32, 3, 3});
  std::size_t asked = 0;
  for (std::size_t row = 0; row < batch.labels.size(); ++row) {
    CHECK((batch.labels[row] < 0) == (batch.objects[row] < 0));
    if (batch.labels[row] < 0) continue;
    ++asked;
    const data::Twins& twins = batch.scenes[row % 3];
    const data::Twins::Object& object = twins.objects[static_cast<std::size_t>(batch.objects[row])];
    CHECK(static_cast<std::size_t>(batch.labels[row]) == twins.objects[object.twin].colour);
    const std::size_t cell = row / 3, i = cell / 8, j = cell % 8;
    CHECK((i / 2 == object.square / 4 && j / 2 == object.square % 4));
    CHECK(middle(object.square) == cell);
    const std::size_t at = (4 * i * 32 + 4 * j) * 3;  // the pixel in the middle of the cell's receptive field
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(batch.values[(at / 3 * 3 + row % 3) * 3 + c] == Approx(twins.picture.rgb[at + c] / 255.0));
  }
  CHECK(asked == 18);
  CHECK(draw(7).labels == batch.labels);
  CHECK(draw(8).labels != batch.labels);
}

TEST_CASE("experiments: gates depend on the lit object and on the strength of the light") {
  const autograd::Params params{autograd::Random(1)};
  const auto model = [&](models::PictureTagger::Layer layer) {
    return models::PictureTagger({.layer = layer, .labels = 2, .first = 4, .width = 6, .inner = 3},
                                 params / std::to_string(static_cast<int>(layer)));
  };
  using Layer = models::PictureTagger::Layer;
  const CellPictures<data::Lights> lights(5, 1, data::draw_lights, [](const auto&, const auto&) { return 0; });
  const models::PictureTagger cell_gate = model(Layer::cell_gate), channel_gate = model(Layer::channel_gate);
  const auto found = gates_of(cell_gate, lights);
  const autograd::Array gates = cell_gate(autograd::constant(lights.values), cell_pixels).cells.value();
  std::vector<double> lit, dark;
  for (std::size_t b = 0; b < 5; ++b)
    for (const data::Lights::Object& object : lights.scenes[b].objects)
      (object.lit ? lit : dark).push_back(static_cast<double>(gates[middle(object.square) * 5 + b]));
  const auto mean = [](const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
  };
  CHECK(found.lit.value() == Approx(mean(lit)));
  CHECK(found.dark.value() == Approx(mean(dark)));
  REQUIRE(found.pictures.size() == 3);
  CHECK(found.pictures[1].weights.at(9) == Approx(static_cast<double>(gates[9 * 5 + 1])));
  CHECK(found.pictures[0].gold.size() % 4 == 0);
  const CellPictures<data::Mondrian> mondrians(40, 1, data::draw_mondrian, [](const auto&, const auto&) { return 0; });
  const auto shut = gates_of(channel_gate, mondrians);
  const autograd::Array of_channels = channel_gate(autograd::constant(mondrians.values), cell_pixels).channels.value();
  REQUIRE(shut.pictures.size() == 3);  // the pictures with most red, green and blue light
  for (std::size_t colour = 0; colour < 3; ++colour) {
    const auto share = [&](const data::Mondrian& one) {
      return one.light[colour] / (one.light[0] + one.light[1] + one.light[2]);
    };
    std::size_t most = 0;
    for (std::size_t b = 1; b < 40; ++b)
      if (share(mondrians.scenes[b]) > share(mondrians.scenes[most])) most = b;
    CHECK(shut.pictures[colour].picture.rgb == mondrians.scenes[most].picture.rgb);
    REQUIRE(shut.pictures[colour].gates.size() == 6);
    CHECK(shut.pictures[colour].gates[4] == Approx(static_cast<double>(of_channels[most * 6 + 4])));
  }
  const LineChart& chart = shut.chart;
  REQUIRE(chart.series.size() == 3);
  for (const Series& series : chart.series) {
    REQUIRE(series.values.size() == chart.x.size());
    for (const auto& value : series.values) CHECK((value->mean > 0 && value->mean < 1));
    CHECK(series.values.front()->mean != series.values.back()->mean);
  }
}

TEST_CASE("experiments: encoded stories contain only their words, lengths and answers") {
  const StoryBatch batch("two", 6, 5, 3);
  const models::Stories& s = batch.stories;
  REQUIRE(s.sentences.size() == s.S * s.B * s.J);
  std::map<std::string, autograd::Id> ids;  // words met so far
  std::set<autograd::Id> different;
  const auto check = [&](const data::Tokens& words, const autograd::Ids& row, std::size_t at) {
    for (std::size_t j = 0; j < s.J; ++j) {
      const autograd::Id id = row[at * s.J + j];
      if (j >= words.size()) {
        CHECK(id == -1);
        continue;
      }
      CHECK(ids.emplace(words[j], id).first->second == id);
      different.insert(id);
    }
  };
  for (std::size_t b = 0; b < s.B; ++b) {
    CHECK(s.lengths[b] == batch.examples[b].sentences.size());
    CHECK((s.lengths[b] >= 3 && s.lengths[b] <= 6));
    for (std::size_t i = 0; i < s.S; ++i)
      check(i < s.lengths[b] ? batch.examples[b].sentences[i] : data::Tokens{}, s.sentences, i * s.B + b);
    check(batch.examples[b].question, s.questions, b);
    CHECK(ids.emplace(batch.examples[b].answer, batch.answers[b]).first->second == batch.answers[b]);
  }
  CHECK(different.size() == ids.size());
  CHECK(StoryBatch("two", 6, 5, 3).stories.sentences == s.sentences);
  CHECK(StoryBatch("two", 6, 5, 4).stories.sentences != s.sentences);
}

TEST_CASE("experiments: encoded pairs contain their words, lengths and labels") {
  const EntailmentBatch batch(20, 3);
  std::map<std::string, autograd::Id> ids;  // words met so far
  std::set<autograd::Id> different;
  const auto check = [&](const data::Tokens& words, const autograd::Ids& row, std::size_t length, std::size_t b) {
    CHECK(length == words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const autograd::Id id = row[i * 20 + b];
      CHECK(ids.emplace(words[i], id).first->second == id);
      different.insert(id);
    }
  };
  for (std::size_t b = 0; b < 20; ++b) {
    check(batch.examples[b].premise, batch.pairs.a, batch.pairs.a_lengths[b], b);
    check(batch.examples[b].hypothesis, batch.pairs.b, batch.pairs.b_lengths[b], b);
    CHECK(static_cast<std::size_t>(batch.labels[b]) == batch.examples[b].label);
  }
  CHECK(batch.pairs.a.size() == batch.pairs.m * 20);
  CHECK(batch.pairs.b.size() == batch.pairs.n * 20);
  CHECK(different.size() == ids.size());
  CHECK(EntailmentBatch(20, 3).pairs.a == batch.pairs.a);
  CHECK(EntailmentBatch(20, 4).pairs.a != batch.pairs.a);
}

TEST_CASE("experiments: encoded texts contain their words and the next word at each position") {
  const RepeatsBatch batch(4, 3);
  const std::size_t T = RepeatsBatch::statements * data::words_of_a_statement - 1;
  REQUIRE((batch.words.size() == T * 4 && batch.next.size() == T * 4));
  std::map<std::string, autograd::Id> ids;  // words met so far
  std::set<autograd::Id> different;
  for (std::size_t row = 0; row < T * 4; ++row) {
    const data::Tokens& text = batch.examples[row % 4].text;
    CHECK(ids.emplace(text[row / 4], batch.words[row]).first->second == batch.words[row]);
    CHECK(ids.emplace(text[row / 4 + 1], batch.next[row]).first->second == batch.next[row]);
    different.insert(batch.words[row]), different.insert(batch.next[row]);
  }
  CHECK(different.size() == ids.size());
  CHECK(RepeatsBatch(4, 3).words == batch.words);
  CHECK(RepeatsBatch(4, 4).words != batch.words);
}

TEST_CASE("experiments: a text to copy has letters, a mark and the same letters as targets without input") {
  const CopyBatch batch(3, 4, 5);
  REQUIRE((batch.words.size() == 28 && batch.said.size() == 28));
  const autograd::Id mark = 26, nothing = 27;
  for (std::size_t row = 0; row < 28; ++row) {
    const std::size_t t = row / 4;
    const autograd::Id word = batch.words[row];
    if (t < 3) CHECK((word >= 0 && word < mark));
    else CHECK(word == (t == 3 ? mark : nothing));
    CHECK(batch.said[row] == (t <= 3 ? -1 : batch.words[row - 4 * 4]));
  }
  CHECK(CopyBatch::words_known() == 28);
  CHECK(CopyBatch(3, 4, 5).words == batch.words);
  CHECK(CopyBatch(3, 4, 6).words != batch.words);
}

TEST_CASE("experiments: each of at most three keys queries its stored letters once") {
  constexpr std::size_t n = 8, m = 3, B = 4;
  const KeyedSequences batch(n, m, B, 5);
  const std::size_t T = batch.steps();
  REQUIRE((T == 8 * 9 && batch.words.size() == T * B && batch.said.size() == T * B && batch.read_at.size() == T * B));
  const autograd::Id letters = 16, mark = 40, nothing = 41;
  for (std::size_t b = 0; b < B; ++b) {
    const auto word = [&](std::size_t t) { return batch.words[t * B + b]; };
    std::map<autograd::Id, std::size_t> stored;  // key -> step at which it was stored
    std::set<autograd::Id> known;
    std::size_t asked = 0, newest = 0;  // `newest` counts queries for the sequence that was stored last
    autograd::Id last = -1;
    for (std::size_t t = 0; t < T;) {
      const bool asks = word(t) == mark;
      const autograd::Id key = word(asks ? t + 1 : t);
      REQUIRE((key >= letters && key < mark));
      if (asks) REQUIRE(stored.count(key) == 1);
      else CHECK(known.insert(key).second);
      const std::size_t first = t + (asks ? 2 : 1);
      for (std::size_t i = t; i < first; ++i) CHECK(batch.said[i * B + b] == -1);
      for (std::size_t i = 0; i < m; ++i) {
        const std::size_t row = (first + i) * B + b;
        CHECK(KeyedSequences::is_letter(batch.words[row]) != asks);
        if (!asks) CHECK((batch.said[row] == -1 && batch.read_at[row] == -1));
        if (!asks) continue;
        CHECK(batch.words[row] == nothing);
        CHECK(batch.said[row] == word(stored[key] + 1 + i));
        CHECK(batch.read_at[row] == static_cast<autograd::Id>(stored[key] + 1 + i));
      }
      if (asks) stored.erase(key), ++asked, newest += key == last;
      else stored[key] = t, last = key;
      CHECK(stored.size() <= 3);
      t = first + m;
    }
    CHECK((known.size() == n && asked == n && newest < n));
  }
  const KeyedSequences waits(n, m, B, 5, Asked::first_last);
  for (std::size_t row = 0; row < T * B; ++row) {
    if (waits.said[row] < 0) continue;
    const std::size_t t = row / B;
    if (t < T - m) CHECK(waits.read_at[row] > static_cast<autograd::Id>(m));  // not in the first sequence
    else CHECK(waits.read_at[row] == static_cast<autograd::Id>(t - (T - m) + 1));
  }
  CHECK(KeyedSequences::words_known() == 42);
  CHECK(KeyedSequences(n, m, B, 5).words == batch.words);
  CHECK(KeyedSequences(n, m, B, 6).words != batch.words);
  CHECK_THROWS_AS(KeyedSequences(25, m, B, 5), std::invalid_argument);
}

TEST_CASE("experiments: the learning rate grows over 50 steps and falls over the second half") {
  const autograd::Params params{autograd::Random(1)};
  const autograd::Var x = params.declare("x", {1}, layers::zeros());
  learn(params, 400, 0.1, [&](std::size_t) { return sum(x); });  // each step of Adam has the size of the learning rate
  CHECK(static_cast<double>(x.value().item()) == Approx(-0.1 * (25.5 + 150 + 100)).epsilon(0.02));
}

TEST_CASE("experiments: files contain claims with verdicts, the table and the charts for any words") {
  ExperimentResult shown;
  shown.setting = "as <it> was";
  shown.columns = {"layer", "per cent"};
  shown.rows = {{"one & two", "97.5"}};
  shown.claims = {{"it learns", {true, "97.5"}}, {"it does not", {false, "2.5"}}};
  shown.charts.push_back({.title = "loss", .x_title = "step", .x = {"1", "2"}, .series = {}, .context = {}});
  shown.charts.back().series.push_back({"line", 0, {data::MeanAndRange{2, 2, 2, 1}, data::MeanAndRange{1, 1, 1, 1}}});
  fit_axes(shown.charts);
  CHECK(shown.charts.back().high == 2);
  const SmallExperiment experiment{"tiny", "A < title", nullptr};
  const TemporaryFolder folder;
  const std::vector<std::string> names = write_files(experiment, shown, 3, folder.path.string());
  CHECK(names == std::vector<std::string>{"tiny.html", "tiny.md", "tiny.json", "tiny.svg"});
  const std::string text = data::read_bytes(folder.path.string() + "/tiny.md"),
                    page = data::read_bytes(folder.path.string() + "/tiny.html");
  CHECK_THAT(text, Contains("1 of 2 claims held, 3 seeds."));
  CHECK_THAT(text, Contains("- **Held.** it learns: 97.5.\n- **Did not hold.** it does not: 2.5.\n"));
  CHECK_THAT(text, Contains("| layer | per cent |\n|---|---|\n| one & two | 97.5 |\n"));
  CHECK_THAT(text, Contains("\nbuild/reproduce tiny --seeds 3 --out " + folder.path.string() + "\n"));
  CHECK_THAT(page, Contains("A &lt; title") && Contains("as &lt;it&gt; was") && Contains("one &amp; two"));
  CHECK_THAT(page, Contains("✓ holds") && Contains("✗ does not hold") && Contains("<svg"));
  CHECK_THAT(data::read_bytes(folder.path.string() + "/tiny.svg"), Contains("<svg") && Contains("loss"));
  CHECK_THAT(data::read_bytes(folder.path.string() + "/tiny.json"),
             Contains("\"held\": true") && Contains("\"columns\""));
  CHECK_THAT(page, !Contains("img-src"));
  shown.pictures = {{"here", {2, 2, std::vector<std::uint8_t>(12, 9)}, 1, 1, {1}, {0}, {}}};
  CHECK(write_files(experiment, shown, 3, folder.path.string()).back() == "tiny-pictures.svg");
  CHECK_THAT(data::read_bytes(folder.path.string() + "/tiny.html"), Contains("; img-src data:; base-uri 'none'"));
  CHECK_THAT(data::read_bytes(folder.path.string() + "/tiny-pictures.svg"), Contains("<style>") && Contains("<image"));
}

TEST_CASE("experiments: experiments without training confirm their claims") {
  for (const SmallExperiment& experiment : small_experiments()) {
    if (experiment.name != "pooling" && experiment.name != "permutation") continue;
    const ExperimentResult shown = experiment.run(2, [](const std::string&) {});
    for (const auto& [claim, verdict] : shown.claims) {
      INFO(claim << ": " << verdict.figures);
      CHECK(verdict.held);
    }
    for (const std::vector<std::string>& row : shown.rows) CHECK(row.size() == shown.columns.size());
  }
}
