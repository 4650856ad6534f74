#include "models/beam_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "autograd/log_sum_exp.h"

namespace models {
namespace {

using autograd::Id;
using autograd::NoGrad;

// Of most blocks of this many words none is good enough, which their maximum tells (in vectors, so in no time).
constexpr Id block = 256;

// One word of a hypothesis. The words before it hang on `previous`, so that hypotheses share their beginnings.
struct Word {
  Id id = data::start_id;
  std::size_t previous = 0;
  double log_prob = 0;     // of this word
  double total = 0;        // and of those before it
  std::size_t row = 0;     // of the decoder, in the step that wrote the word
  std::size_t length = 0;  // words up to here: also the number of that step, from 1
};

// What the model says of the next word, for every row: log p_v = logits_v - normaliser.
struct Prediction {
  Array logits;      // (R, V)
  Array normaliser;  // (R) log sum_v e^logits_v
};

// More probable first; equal ones in the order of the hypotheses that they continue, then of ids.
bool better(const Word& a, const Word& b) {
  if (a.total != b.total) return a.total > b.total;
  return a.row != b.row ? a.row < b.row : a.id < b.id;
}

// The search for one sentence: its words so far as a tree, the live hypotheses and the best finished ones.
class SentenceSearch {
 public:
  SentenceSearch(std::size_t source_length, const BeamOptions& options)
      : source_length_(source_length),
        options_(options),
        max_length_(options.max_length ? options.max_length : 2 * (source_length - 1) + 10) {}

  // The live hypotheses, best first: each is the place of its last word.
  const std::vector<std::size_t>& live() const { return live_; }
  const Word& word(std::size_t place) const { return tree_[place]; }

  // Takes all live hypotheses one word further. Theirs are the prediction's rows from first_row on.
  void advance(const Prediction& prediction, std::size_t first_row) {
    const std::size_t length = tree_[live_.front()].length + 1;
    std::vector<std::size_t> going_on, ended;
    for (const Word& next : best_continuations(prediction, first_row)) {
      tree_.push_back(next);
      if (next.id == data::end_id) {
        ended.push_back(next.previous);
        finish(tree_.size() - 1);
      } else {
        going_on.push_back(tree_.size() - 1);
      }
    }
    if (length > max_length_) {  // only </s> was allowed here
      for (const std::size_t place : live_)
        if (std::find(ended.begin(), ended.end(), place) == ended.end()) cut_.push_back(place);
      going_on.clear();
    }
    if (!going_on.empty() && decided(tree_[going_on.front()])) going_on.clear();
    live_ = going_on;
  }

  // attention[i] (R, S): that of step i + 1.
  std::vector<Hypothesis> n_best(const std::vector<Array>& attention) const {
    std::vector<Hypothesis> best;
    for (const std::size_t place : finished_) best.push_back(trace(place, attention));
    for (const std::size_t place : cut_)
      if (best.size() < options_.n_best) best.push_back(trace(place, attention));
    return best;
  }

 private:
  double score(double total, double length) const { return total / std::pow(length, options_.length_penalty); }
  double score(const Word& last) const { return score(last.total, static_cast<double>(last.length)); }

  // The `beam` best of all words after all live hypotheses, best first.
  std::vector<Word> best_continuations(const Prediction& prediction, std::size_t first_row) const {
    const auto V = static_cast<Id>(prediction.logits.dim(1));
    std::vector<Word> best;  // a heap: the worst in front
    for (std::size_t i = 0; i < live_.size(); ++i) {
      const Word& last = tree_[live_[i]];
      const std::size_t row = first_row + i;
      const Real* logits = prediction.logits.rows(row, row + 1).data();
      const double normaliser = prediction.normaliser[row];
      const auto log_p = [&](Real logit) { return std::min(logit - normaliser, 0.0); };  // rounding might say 1e-7
      const auto too_bad = [&](Real logit) {
        return best.size() == options_.beam && last.total + log_p(logit) <= best.front().total;
      };
      for (Id begin = 0; begin < V; begin += block) {
        const Id end = std::min(V, begin + block);
        if (too_bad(autograd::largest(logits + begin, static_cast<std::size_t>(end - begin)))) continue;
        for (Id v = begin; v < end; ++v) {
          if (v == data::pad_id || v == data::start_id || std::isinf(logits[v]) || too_bad(logits[v])) continue;
          if (best.size() == options_.beam) {
            std::pop_heap(best.begin(), best.end(), better);
            best.pop_back();
          }
          best.push_back({v, live_[i], log_p(logits[v]), last.total + log_p(logits[v]), row, last.length + 1});
          std::push_heap(best.begin(), best.end(), better);
        }
      }
    }
    std::sort_heap(best.begin(), best.end(), better);
    return best;
  }

  void finish(std::size_t place) {
    const auto worse = [&](double mine, std::size_t other) { return mine > score(tree_[other]); };
    finished_.insert(std::upper_bound(finished_.begin(), finished_.end(), score(tree_[place]), worse), place);
    if (finished_.size() > options_.n_best) finished_.pop_back();
  }

  // Whether nothing that comes of the best live hypothesis can enter the n best (see the header).
  bool decided(const Word& best_live) const {
    return finished_.size() == options_.n_best &&
           score(tree_[finished_.back()]) >= score(best_live.total, static_cast<double>(max_length_) + 1);
  }

  Hypothesis trace(std::size_t place, const std::vector<Array>& attention) const {
    const Word& last = tree_[place];
    Hypothesis h;
    h.finished = last.id == data::end_id;
    h.log_prob = last.total;
    h.score = score(last);
    for (; tree_[place].length > 0; place = tree_[place].previous) {
      const Word& w = tree_[place];
      if (w.id != data::end_id) h.ids.push_back(w.id);
      h.word_log_prob.push_back(w.log_prob);
      const Array& weights = attention[w.length - 1];
      if (!weights.defined()) continue;
      const Real* row = weights.data() + w.row * weights.dim(1);
      h.attention.emplace_back(row, row + source_length_);
    }
    std::reverse(h.ids.begin(), h.ids.end());
    std::reverse(h.word_log_prob.begin(), h.word_log_prob.end());
    std::reverse(h.attention.begin(), h.attention.end());
    return h;
  }

  std::size_t source_length_;  // </s> counted
  BeamOptions options_;
  std::size_t max_length_;
  std::vector<Word> tree_{Word{}};     // from <s> on
  std::vector<std::size_t> live_{0};   // places in the tree
  std::vector<std::size_t> finished_;  // best first, at most n_best
  std::vector<std::size_t> cut_;       // by the limit, best first
};

void check(const BeamOptions& o) {
  if (o.beam == 0) throw std::invalid_argument("beam_search: the beam is 0, at least 1 hypothesis must be kept");
  if (o.n_best == 0 || o.n_best > o.beam)
    throw std::invalid_argument(
        fmt::format("beam_search: {} best of a beam of {}; 1 to {} can be had", o.n_best, o.beam, o.beam));
  if (!(o.length_penalty >= 0) || std::isinf(o.length_penalty))
    throw std::invalid_argument(
        fmt::format("beam_search: length penalty {}, expected a number of at least 0", o.length_penalty));
}

Prediction predict(const Var& logits, const State& state, const Batch& batch, std::size_t step) {
  const Prediction prediction{logits.value(), log_sum_exp(logits.value())};
  for (std::size_t row = 0; row < prediction.normaliser.size(); ++row)
    if (!std::isfinite(prediction.normaliser[row]))
      throw std::runtime_error(fmt::format(
          "beam_search: the model gives sentence {} (from 1) no probabilities at step {}: its logits are not finite; "
          "the model diverged in training or its file is damaged",
          batch.index[static_cast<std::size_t>(state.sentence[row])] + 1, step));
  return prediction;
}

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options) {
  check(options);
  if (batch.size == 0) return {};
  const NoGrad no_grad;
  std::vector<SentenceSearch> sentences;
  for (const std::size_t length : batch.source_lengths) sentences.emplace_back(length, options);

  const Memory memory = model.encode(batch);
  State state = model.start(memory);         // one row per sentence
  Ids previous(batch.size, data::start_id);  // what each row wrote last
  std::vector<Array> attention;              // of every step (R, S)
  while (!previous.empty()) {
    const Step step = model.step(previous, state, memory);
    attention.push_back(step.attention.defined() ? step.attention.value() : Array());
    const Prediction prediction = predict(step.logits, state, batch, attention.size());

    Ids parents;  // the row that each row of the next step continues
    std::size_t row = 0;
    previous.clear();
    for (SentenceSearch& sentence : sentences) {
      const std::size_t rows = sentence.live().size();
      if (rows > 0) sentence.advance(prediction, row);
      row += rows;
      for (const std::size_t place : sentence.live()) {
        parents.push_back(static_cast<Id>(sentence.word(place).row));
        previous.push_back(sentence.word(place).id);
      }
    }
    if (!previous.empty()) state = select(step.state, parents);
  }

  std::vector<std::vector<Hypothesis>> best;
  for (const SentenceSearch& sentence : sentences) best.push_back(sentence.n_best(attention));
  return best;
}

}  // namespace models
