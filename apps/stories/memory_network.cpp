// This file is the experiment `reproduce memory-network` (Sukhbaatar et al. 2015). A model answers questions about
// stories, and attends to the sentences of a story.
#include "apps/stories/memory_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "apps/experiments/experiment.h"
#include "apps/experiments/learning.h"
#include "apps/experiments/sequences.h"
#include "apps/experiments/test_seed.h"
#include "autograd/ops/loss.h"
#include "autograd/ops/reduce.h"
#include "autograd/random.h"
#include "autograd/var.h"

namespace softalign::apps {

namespace {

const WordIds& ids() {
  static const WordIds table = word_ids(data::story_words());
  return table;
}

}  // namespace

StoryBatch::StoryBatch(const std::string& task, std::size_t sentences, std::size_t B, std::uint64_t seed) {
  autograd::Random random(seed);
  const std::size_t fewest = std::max<std::size_t>(3, sentences / 2);
  stories.B = B;
  for (std::size_t b = 0; b < B; ++b) {
    examples.push_back(data::draw_story(task, fewest + random.below(sentences - fewest + 1), random));
    const data::Story& story = examples.back();
    stories.lengths.push_back(story.sentences.size());
    stories.S = std::max(stories.S, story.sentences.size());
    stories.J = std::max(stories.J, story.question.size());
    for (const data::Tokens& sentence : story.sentences) stories.J = std::max(stories.J, sentence.size());
    answers.push_back(ids().at(story.answer));
  }
  stories.sentences.assign(stories.S * B * stories.J, -1);
  stories.questions.assign(B * stories.J, -1);
  const auto write = [&](const data::Tokens& words, autograd::Ids& to, std::size_t row) {
    for (std::size_t j = 0; j < words.size(); ++j) to[row * stories.J + j] = ids().at(words[j]);
  };
  for (std::size_t b = 0; b < B; ++b) {
    write(examples[b].question, stories.questions, b);
    for (std::size_t i = 0; i < examples[b].sentences.size(); ++i)
      write(examples[b].sentences[i], stories.sentences, i * B + b);
  }
}

std::size_t StoryBatch::words() { return ids().size(); }

namespace {

using autograd::Real;
using models::MemoryNetwork;
using Weighting = MemoryNetwork::Weighting;

struct Task {
  std::string name, title;
  std::size_t hops;
};
const std::vector<Task> tasks{{"facts", "facts", 1}, {"one", "where is mary", 1}, {"two", "where is the apple", 2}};
struct Reader {
  std::string name;
  Weighting weighting;
  std::size_t hops;  // 0: as many as the task needs
};
const std::vector<Reader> readers{{"mean of all sentences", Weighting::mean, 1},
                                  {"one hop", Weighting::softmax, 1},
                                  {"one hop per fact", Weighting::softmax, 0}};

constexpr std::size_t steps = 4000, B = 32, sentences = 8, tested = 1000, measurements = 10;
constexpr double rate = 5e-3;

// Found has percentages. `accuracy` counts correct answers. `hit` counts stories in which each gold sentence has the
// largest weight of some hop. `mass` is the weight of the hops on gold sentences.
struct Found {
  double accuracy = 0;
  std::optional<double> hit, mass;
};

Found found(const MemoryNetwork& model, Weighting weighting, const StoryBatch& test) {
  const autograd::NoGrad no_grad;
  const auto [logits, weights] = model(test.stories, weighting);
  const std::size_t S = test.stories.S;
  Hits right, hits, mass;
  for (std::size_t b = 0; b < test.examples.size(); ++b) {
    right.count(largest(logits, b, StoryBatch::words()) == static_cast<std::size_t>(test.answers[b]));
    const std::vector<std::size_t>& gold = test.examples[b].gold;
    hits.count(std::all_of(gold.begin(), gold.end(), [&, &all = weights](std::size_t sentence) {
      return std::any_of(all.begin(), all.end(), [&](const auto& p) { return largest(p, b, S) == sentence; });
    }));
    for (const autograd::Var& p : weights)
      mass.count(std::accumulate(gold.begin(), gold.end(), 0.0, [&](double sum, std::size_t sentence) {
        return sum + static_cast<double>(p.value()[b * S + sentence]);
      }));
  }
  if (weighting == Weighting::mean) return {right.percent(), {}, {}};
  return {right.percent(), hits.percent(), mass.percent()};
}

// ShownStory has the weights of a story. There is one row per sentence and one column per hop, because sentences are
// too long to name columns.
struct ShownStory {
  data::Record record;
  std::string question_and_answer;
};

ShownStory shown_story(const MemoryNetwork& model, const StoryBatch& test, std::size_t b) {
  const autograd::NoGrad no_grad;
  const auto weights = model(test.stories, Weighting::softmax).weights;
  const data::Story& story = test.examples[b];
  data::Record record;
  record.gold.emplace();
  record.source_eos = record.target_eos = false;
  for (const data::Tokens& sentence : story.sentences) record.target.push_back(data::join_words(sentence));
  record.weights.matrix.resize(story.sentences.size());
  for (std::size_t h = 0; h < weights.size(); ++h) {
    record.source.push_back(fmt::format("hop {}", h + 1));
    const Real* of_hop = weights[h].value().data() + b * test.stories.S;
    for (std::size_t s = 0; s < story.sentences.size(); ++s) record.weights.matrix[s].push_back(of_hop[s]);
    // If there are two gold sentences, the hops may attend to them in either order.
    for (const std::size_t sentence : story.gold)
      (story.gold.size() == 1 ? record.gold->sure : record.gold->possible).push_back({h, sentence});
  }
  return {record, data::join_words(story.question) + "? " + story.answer};
}

struct Learnt {
  std::vector<Found> measured;  // after each tenth of the steps
  std::optional<ShownStory> story;
};

// Trains a model. If it has several hops, the first tenth of the steps has a linear start (section 4.2).
Learnt learnt(const Task& task, const Reader& reader, const StoryBatch& test, std::uint64_t seed) {
  const autograd::Params params{autograd::Random(seed)};
  const std::size_t hops = reader.hops > 0 ? reader.hops : task.hops;
  const MemoryNetwork model({.words = StoryBatch::words(), .sentences = sentences, .hops = hops}, params);
  Learnt result;
  const auto measure = [&] { return found(model, reader.weighting, test); };
  result.measured = learn_and_observe(params, steps, rate, measurements, measure, [&](std::size_t step) {
    const StoryBatch batch(task.name, sentences, B, seed * steps + step);
    const bool begins = hops > 1 && reader.weighting == Weighting::softmax && step < steps / 10;
    return mean(cross_entropy(model(batch.stories, begins ? Weighting::linear : reader.weighting).logits, batch.answers,
                              {.ignore = -1}));
  });
  if (reader.weighting == Weighting::softmax && hops == task.hops) {
    const auto shown = std::find_if(test.examples.begin(), test.examples.end(),
                                    [&](const data::Story& story) { return story.gold.size() == task.hops; });
    result.story = shown_story(model, test, static_cast<std::size_t>(shown - test.examples.begin()));
  }
  return result;
}

ExperimentResult run(std::size_t seeds, const ProgressReport& report) {
  ExperimentResult shown;
  shown.setting = fmt::format(
      "Each story has up to {} sentences and a question. Words have width 32; training takes {} steps of {}, and the "
      "test has {} other stories. Accuracy in percent; in brackets, how often each supporting sentence has the largest "
      "weight of some hop, and the weight on the supporting sentences. \"where is the apple\" needs two sentences, so "
      "two hops.",
      sentences, steps, B, tested);
  shown.columns = {"memory read by"};
  for (const Task& task : tasks) shown.columns.push_back(task.title);
  LineChart chart = chart_of_measurements("accuracy on \"where is the apple\", percent", "steps", steps, measurements);
  std::map<std::pair<std::size_t, std::size_t>, Found> means;  // key: reader and task
  for (std::size_t r = 0; r < readers.size(); ++r) {
    report(fmt::format("[{}/{}] {}", r + 1, readers.size(), readers[r].name));
    std::vector<std::string> row{readers[r].name};
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (readers[r].hops == 0 && tasks[t].hops == 1) {  // the same as the previous reader
        row.push_back(shown.rows.back()[t + 1]), means[{r, t}] = means[{r - 1, t}];
        continue;
      }
      const StoryBatch test(tasks[t].name, sentences, tested, test_seed);
      const auto all = with_seeds(seeds, [&](std::size_t seed) { return learnt(tasks[t], readers[r], test, seed); });
      const auto right = final_value(all, &Found::accuracy), hit = final_value(all, &Found::hit),
                 mass = final_value(all, &Found::mass);
      row.push_back(to_text(right, 1));
      if (hit) row.back() += fmt::format(" ({}, {})", mean_text(hit, 0), mean_text(mass, 0));
      means[{r, t}] = {right->mean, hit ? std::optional(hit->mean) : std::nullopt, {}};
      if (const std::optional<ShownStory>& story = all.front().story) {
        shown.matrices.push_back(story->record);
        shown.captions.push_back(
            fmt::format("{}, {}: {}", tasks[t].title, readers[r].name, story->question_and_answer));
      }
      if (t + 1 == tasks.size()) chart.series.push_back(accuracy_of(readers[r].name, r, all));
    }
    shown.rows.push_back(std::move(row));
  }
  shown.charts.push_back(std::move(chart));
  const auto right = [&](std::size_t r, std::size_t t) { return means.at({r, t}).accuracy; };
  const auto hit = [&](std::size_t r, std::size_t t) { return *means.at({r, t}).hit; };
  shown.claims = {{"The network attends to the sentence with the fact",
                   {right(1, 0) >= 97 && hit(1, 0) >= 99,
                    fmt::format("accuracy {:.1f}, largest weight there {:.1f}", right(1, 0), hit(1, 0))}},
                  {"With temporal encoding, the network uses the last move (section 4.1)",
                   {right(1, 1) >= 99 && hit(1, 1) >= 99,
                    fmt::format("accuracy {:.1f}, largest weight there {:.1f}", right(1, 1), hit(1, 1))}},
                  {"If two sentences are needed, two hops find both (section 2.2)",
                   {right(2, 2) >= 93 && hit(2, 2) >= 85 && right(1, 2) < right(2, 2) - 10,
                    fmt::format("accuracy {:.1f}, both found {:.1f}; accuracy with one hop {:.1f}", right(2, 2),
                                hit(2, 2), right(1, 2))}},
                  {"The mean of all sentences is not sufficient",
                   {std::max({right(0, 0), right(0, 1), right(0, 2)}) < 70,
                    fmt::format("{:.1f}, {:.1f}, {:.1f}", right(0, 0), right(0, 1), right(0, 2))}}};
  return shown;
}

}  // namespace

SmallExperiment memory_network() { return {"memory-network", "Memory network: questions about stories", run}; }

}  // namespace softalign::apps
