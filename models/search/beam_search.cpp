#include "models/search/beam_search.h"

#include <algorithm>
#include <cmath>

#include "autograd/ops/log_sum_exp.h"
#include "models/search/hypothesis.h"

namespace softalign::models {
namespace {

// Block has consecutive words of the vocabulary. Most blocks contain no word that is good enough, and the maximum of a
// block shows this at once.
struct Block {
  Id begin, end;
  Real largest;
};

// blocks returns the blocks of all words. Blocks with more probable words come first.
std::vector<Block> blocks(const Real* logits, std::size_t V) {
  constexpr std::size_t words = 128;
  std::vector<Block> all;
  all.reserve(V / words + 1);
  for (std::size_t begin = 0; begin < V; begin += words) {
    const std::size_t end = std::min(V, begin + words);
    all.push_back({static_cast<Id>(begin), static_cast<Id>(end), autograd::largest(logits + begin, end - begin)});
  }
  std::sort(all.begin(), all.end(), [](const Block& a, const Block& b) { return a.largest > b.largest; });
  return all;
}

// BeamNode is one word of a hypothesis. It refers to the node of the previous word, so hypotheses share their
// beginnings.
struct BeamNode {
  Id id = data::start_id;
  std::size_t previous = 0;  // node of the word before
  double log_prob = 0;       // of this word
  double total = 0;          // of this word and all words before it
  std::size_t row = 0;       // row of the decoder in the step that wrote the word
  std::size_t length = 0;    // number of words up to here, and of this step, counted from 1
};
using BeamTree = std::vector<BeamNode>;  // tree[0] is <s>

// backtrace returns the hypothesis that ends with the word `node`. It leaves the score at 0. weights[i] has the
// attention weights of step i + 1, and the source has `source_length` positions.
Hypothesis backtrace(const BeamTree& tree, std::size_t node, const std::vector<BatchWeights>& weights,
                     std::size_t source_length) {
  std::vector<std::size_t> nodes;
  for (; tree[node].length > 0; node = tree[node].previous) nodes.push_back(node);
  std::reverse(nodes.begin(), nodes.end());
  Hypothesis h;
  for (const std::size_t n : nodes)
    append(h, tree[n].id, tree[n].log_prob, weights[tree[n].length - 1], tree[n].row, source_length);
  return h;
}

// better orders nodes by decreasing probability. Equal nodes are ordered by the hypotheses that they continue, and then
// by their ids.
bool better(const BeamNode& a, const BeamNode& b) {
  if (a.total != b.total) return a.total > b.total;
  return a.row != b.row ? a.row < b.row : a.id < b.id;
}

// SentenceSearch searches for one sentence. It has a tree of the words so far, the live hypotheses and the best
// finished hypotheses.
class SentenceSearch {
 public:
  SentenceSearch(std::size_t source_length, const BeamOptions& options)
      : source_length_(source_length),
        options_(options),
        max_length_(length_limit(options.max_length, source_length, options.at_most)) {}

  // live returns the live hypotheses, the best one first. Each number is the node of the last word.
  const std::vector<std::size_t>& live() const { return live_; }
  const BeamNode& word(std::size_t place) const { return tree_[place]; }

  // advance extends all live hypotheses by one word. Their rows in the prediction begin at first_row. weights[i] has
  // the attention weights of step i + 1.
  void advance(const Prediction& prediction, std::size_t first_row, const std::vector<BatchWeights>& weights) {
    const std::size_t length = tree_[live_.front()].length + 1;
    std::vector<std::size_t> going_on, ended;
    for (const BeamNode& next : best_continuations(prediction, first_row)) {
      tree_.push_back(next);
      if (next.id == data::end_id) {
        ended.push_back(next.previous);
        finish(tree_.size() - 1, weights);
      } else {
        going_on.push_back(tree_.size() - 1);
      }
    }
    if (length > max_length_) {  // only </s> was allowed here
      for (const std::size_t place : live_)
        if (std::find(ended.begin(), ended.end(), place) == ended.end()) insert(cut_, scored(place, weights));
      going_on.clear();
    }
    if (!going_on.empty() && decided(tree_[going_on.front()])) going_on.clear();
    live_ = going_on;
  }

  std::vector<Hypothesis> n_best() const {
    std::vector<Hypothesis> best = finished_;
    for (const Hypothesis& h : cut_)
      if (best.size() < options_.n_best) best.push_back(h);
    return best;
  }

 private:
  // best_continuations returns the `beam` best nodes among all words after all live hypotheses, best first.
  std::vector<BeamNode> best_continuations(const Prediction& prediction, std::size_t first_row) const {
    const std::size_t V = prediction.logits.dim(1);
    std::vector<BeamNode> best;  // a heap with the worst node in front
    for (std::size_t i = 0; i < live_.size(); ++i) {
      const BeamNode& last = tree_[live_[i]];
      const std::size_t row = first_row + i;
      const Real* logits = prediction.logits.data() + row * V;
      const auto full = [&] { return best.size() == options_.beam; };
      for (const Block& block : blocks(logits, V)) {
        if (full() && last.total + prediction.log_p(row, block.largest) < best.front().total) break;
        for (Id v = block.begin; v < block.end; ++v) {
          const double log_p = prediction.log_p(row, logits[v]);
          if (full() && last.total + log_p < best.front().total) continue;
          if (!writable(v) || std::isinf(logits[v])) continue;
          const BeamNode next{v, live_[i], log_p, last.total + log_p, row, last.length + 1};
          if (full()) {
            if (!better(next, best.front())) continue;
            std::pop_heap(best.begin(), best.end(), better);
            best.pop_back();
          }
          best.push_back(next);
          std::push_heap(best.begin(), best.end(), better);
        }
      }
    }
    std::sort_heap(best.begin(), best.end(), better);
    return best;
  }

  // bound returns the highest possible score of a hypothesis that begins with words of log-probability `total` and has
  // at most `length` words.
  double bound(double total, std::size_t length) const { return total / length_penalty(options_, length); }

  Hypothesis scored(std::size_t place, const std::vector<BatchWeights>& weights) const {
    Hypothesis h = backtrace(tree_, place, weights, source_length_);
    h.score = bound(tree_[place].total, tree_[place].length) + coverage_penalty(options_, h.weights.matrix);
    return h;
  }

  // insert keeps the n best hypotheses, best first. Equal hypotheses stay in the order in which they were inserted.
  void insert(std::vector<Hypothesis>& best, Hypothesis h) const {
    const auto worse = [](double score, const Hypothesis& other) { return score > other.score; };
    const auto place = std::upper_bound(best.begin(), best.end(), h.score, worse);
    best.insert(place, std::move(h));
    if (best.size() > options_.n_best) best.pop_back();
  }

  void finish(std::size_t place, const std::vector<BatchWeights>& weights) {
    if (!beyond_reach(tree_[place].total, tree_[place].length)) insert(finished_, scored(place, weights));
  }

  // beyond_reach is true if no hypothesis with at most this bound can enter the n best.
  bool beyond_reach(double total, std::size_t length) const {
    return finished_.size() == options_.n_best && finished_.back().score >= bound(total, length);
  }

  // decided is true if no continuation of the best live hypothesis can enter the n best (see the header).
  bool decided(const BeamNode& best_live) const { return beyond_reach(best_live.total, max_length_ + 1); }

  std::size_t source_length_;  // including </s>
  BeamOptions options_;
  std::size_t max_length_;
  BeamTree tree_{BeamNode{}};         // from <s> on
  std::vector<std::size_t> live_{0};  // nodes of the tree
  std::vector<Hypothesis> finished_;  // the n best
  std::vector<Hypothesis> cut_;       // hypotheses that the length limit has cut
};

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(const Decoder& decoder, const Memory& memory,
                                                 const BeamOptions& options) {
  check(options);
  if (memory.size() == 0) return {};
  const autograd::NoGrad no_grad;
  std::vector<SentenceSearch> sentences;
  for (const std::size_t length : memory.lengths) sentences.emplace_back(length, options);

  State state = decoder.start(memory);          // one row per sentence
  Ids previous(memory.size(), data::start_id);  // what each row wrote last
  std::vector<BatchWeights> weights;            // of every step; undefined if nobody needs them
  const bool keep_weights = options.weights || options.coverage_penalty > 0;
  while (!previous.empty()) {
    const Step step = decoder.step(previous, state, memory);
    weights.push_back(keep_weights ? step.weights : BatchWeights{});
    const Prediction prediction = predict(step, memory, weights.size());

    Ids parents;  // the row that each row of the next step continues
    std::size_t row = 0;
    previous.clear();
    for (SentenceSearch& sentence : sentences) {
      const std::size_t rows = sentence.live().size();
      if (rows > 0) sentence.advance(prediction, row, weights);
      row += rows;
      for (const std::size_t place : sentence.live()) {
        parents.push_back(static_cast<Id>(sentence.word(place).row));
        previous.push_back(sentence.word(place).id);
      }
    }
    if (!previous.empty()) state = select(step.state, parents);
  }

  std::vector<std::vector<Hypothesis>> best;
  for (const SentenceSearch& sentence : sentences) best.push_back(sentence.n_best());
  return best;
}

std::vector<std::vector<Hypothesis>> beam_search(const Seq2Seq& model, const Batch& batch, const BeamOptions& options) {
  check(options);
  if (batch.size == 0) return {};
  const autograd::NoGrad no_grad;
  return beam_search(model.decoder(), model.encode(batch), options);
}

}  // namespace softalign::models
