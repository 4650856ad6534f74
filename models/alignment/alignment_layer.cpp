#include "models/alignment/alignment_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "autograd/ops/elementwise.h"
#include "autograd/ops/gather.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/shape.h"
#include "data/io/error.h"
#include "data/io/json.h"
#include "data/io/unicode.h"
#include "layers/attention/scores.h"
#include "layers/dense/dropout.h"
#include "models/checkpoint.h"

namespace softalign::models {

using autograd::Id;
using autograd::Real;

namespace {

constexpr int longest_jump = 5;
constexpr std::size_t jump_kinds = 2 * longest_jump + 2;
constexpr std::size_t longest_read = 64;  // code points per word

layers::Initialiser by_fan_in(std::size_t n) { return layers::uniform(1 / std::sqrt(static_cast<double>(n))); }

// near_identity initialises B as 0.1 times the identity matrix. A word that is equal in both languages therefore begins
// with a high score.
layers::Initialiser near_identity() {
  return [](Array& x, Random&) {
    x.fill(0);
    for (std::size_t i = 0; i < x.dim(0); ++i) x[i * x.dim(1) + i] = Real(0.1);
  };
}

std::size_t kind_of_jump(std::size_t from, std::size_t to) {
  const long jump = static_cast<long>(to) - static_cast<long>(from);
  return std::abs(jump) <= longest_jump ? static_cast<std::size_t>(jump + longest_jump) : jump_kinds - 1;
}

// distance returns 8 times the difference between the relative positions of target word i and source word j.
Real distance(std::size_t i, std::size_t I, std::size_t j, std::size_t J) {
  const auto part = [](std::size_t k, std::size_t n) {
    return static_cast<double>(k + 1) / static_cast<double>(n + 1);
  };
  return static_cast<Real>(8 * std::abs(part(i, I) - part(j, J)));
}

}  // namespace

Ids gram_rows(const std::string& word, std::size_t grams) {
  std::u32string points = data::decode_utf8(word);
  points.resize(std::min(points.size(), longest_read));
  points = U'^' + points + U'$';
  Ids rows;
  for (std::size_t n = 2; n <= 5; ++n)
    for (std::size_t i = 0; i + n <= points.size(); ++i)
      rows.push_back(static_cast<Id>(autograd::Fnv1a().add(data::encode_utf8(points.substr(i, n))).value % grams));
  return rows;
}

AlignmentLayer::AlignmentLayer(data::Vocabulary source, data::Vocabulary target, const AlignmentLayerOptions& o,
                               const Random& random)
    : AlignmentLayer(std::move(source), std::move(target), o, random, layers::normal(1)) {}

AlignmentLayer::AlignmentLayer(data::Vocabulary source, data::Vocabulary target, const AlignmentLayerOptions& o,
                               const Random& random, const layers::Initialiser& table)
    : source_words_(std::move(source)),
      target_words_(std::move(target)),
      options_(o),
      params_(random),
      source_((params_ / "source").declare("E", {source_words_.size(), o.embedding}, table)),
      target_((params_ / "target").declare("E", {target_words_.size(), o.embedding}, table)),
      grams_(params_.declare("G", {o.grams, o.embedding}, table)),
      source_neighbours_(params_ / "source/conv", 3, o.embedding, o.embedding, layers::Window::centred,
                         by_fan_in(3 * o.embedding)),
      target_neighbours_(params_ / "target/conv", 3, o.embedding, o.embedding, layers::Window::centred,
                         by_fan_in(3 * o.embedding)),
      query_(params_ / "query", 2 * o.embedding, o.hidden, by_fan_in(2 * o.embedding)),
      U_(params_.declare("U", {2 * o.embedding, o.hidden}, by_fan_in(2 * o.embedding))),
      v_(params_.declare("v", {o.hidden}, by_fan_in(o.hidden))),
      B_(params_.declare("B", {o.embedding, o.embedding}, near_identity())),
      distance_(params_.declare("p", {1}, layers::zeros())),
      null_(params_.declare("null", {1}, layers::zeros())),
      jump_(params_.declare("w", {jump_kinds, 1}, layers::zeros())),
      next_jump_(params_.declare("z", {jump_kinds, 1}, layers::zeros())),
      nothing_(params_ / "nothing", 2 * o.embedding, 1, by_fan_in(2 * o.embedding)) {}

AlignmentSide AlignmentLayer::side(const std::vector<const data::Pair*>& pairs, data::Tokens data::Pair::*words,
                                   const data::Vocabulary& vocabulary) const {
  const std::size_t B = pairs.size();
  AlignmentSide side;
  for (const data::Pair* pair : pairs) {
    side.lengths.push_back((pair->*words).size());
    side.steps = std::max(side.steps, side.lengths.back() + 1);
  }
  // No word is empty, so "" can stand for </s>. Padding has the row of </s>, but nothing reads padding.
  std::unordered_map<std::string, Id> seen{{"", 0}};
  std::vector<std::string> different{""};
  side.place.assign(side.steps * B, 0);
  for (std::size_t b = 0; b < B; ++b)
    for (std::size_t t = 0; t < side.lengths[b]; ++t) {
      const std::string& word = (pairs[b]->*words)[t];
      const auto [entry, is_new] = seen.emplace(word, static_cast<Id>(different.size()));
      if (is_new) different.push_back(word);
      side.place[t * B + b] = entry->second;
    }
  std::vector<Ids> grams;
  for (const std::string& word : different) grams.push_back(word.empty() ? Ids() : gram_rows(word, options_.grams));
  Ids order = autograd::all_rows(different.size());
  const auto of = [](Id i) { return static_cast<std::size_t>(i); };
  std::stable_sort(order.begin(), order.end(), [&](Id a, Id b) { return grams[of(a)].size() < grams[of(b)].size(); });
  Ids row(different.size());
  side.known = Array({different.size(), 1}, Real(1));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t w = of(order[i]);
    row[w] = static_cast<Id>(i);
    side.word.push_back(different[w].empty() ? data::end_id : vocabulary.id(different[w]));
    if (side.word.back() == data::unk_id) side.known[i] = 0;
    if (side.groups.empty() || side.groups.back().grams != grams[w].size())
      side.groups.push_back({0, grams[w].size(), {}});
    AlignmentSide::Group& group = side.groups.back();
    ++group.rows;
    group.of_grams.insert(group.of_grams.end(), grams[w].begin(), grams[w].end());
  }
  for (Id& place : side.place) place = row[of(place)];
  return side;
}

AlignmentBatch AlignmentLayer::batch(const std::vector<const data::Pair*>& pairs) const {
  return {side(pairs, &data::Pair::source, source_words_), side(pairs, &data::Pair::target, target_words_)};
}

// embedded returns e(w) of every step: (steps, B, E). Dropout drops the same numbers of a word at all its positions in
// the batch. With the same probability, it treats a word as unknown, so that n-grams learn to replace E[w].
Var AlignmentLayer::embedded(const AlignmentSide& side, const Var& own, double dropout, Random* random) const {
  const std::size_t E = options_.embedding;
  const layers::Dropout drop{dropout};
  std::vector<Var> bags;
  for (const AlignmentSide::Group& group : side.groups)
    bags.push_back(group.grams == 0 ? constant(autograd::zeros({group.rows, E}))
                                    : sum(reshape(gather(grams_, group.of_grams), {group.rows, group.grams, E}), {1}) *
                                          static_cast<Real>(1 / std::sqrt(static_cast<double>(group.grams))));
  Array known = side.known.clone();
  if (random && dropout > 0)
    for (std::size_t i = 0; i < known.size(); ++i)
      if (random->uniform() < dropout) known[i] = 0;
  const Var words = drop(gather(own, side.word) * constant(known), random);
  const Var e = words + drop(autograd::concat(bags, 0), random);
  return reshape(gather(e, side.place), {side.steps, side.lengths.size(), E});
}

AlignmentLayer::Output AlignmentLayer::operator()(const AlignmentBatch& batch, double dropout, Random* random) const {
  const std::size_t B = batch.size(), S = batch.source.steps, T = batch.target.steps - 1, E = options_.embedding;
  const layers::Dropout drop{dropout};
  const auto with_neighbours = [&](const AlignmentSide& side, const Var& e, const layers::Convolution& conv) {
    std::vector<std::size_t> with_end = side.lengths;
    for (std::size_t& n : with_end) ++n;
    return autograd::concat({e, drop(tanh(conv(e, with_end)), random)}, 2);
  };
  const Var x = embedded(batch.source, source_, dropout, random), y = embedded(batch.target, target_, dropout, random);
  const Var keys = with_neighbours(batch.source, x, source_neighbours_);
  const Var queries = slice(with_neighbours(batch.target, y, target_neighbours_), 0, 0, T);
  Ids sentence(T * B);
  for (std::size_t r = 0; r < sentence.size(); ++r) sentence[r] = static_cast<Id>(r % B);
  Array far = autograd::zeros({T * B, S}), null = autograd::zeros({T * B, S});
  for (std::size_t r = 0; r < T * B; ++r) {
    const std::size_t J = batch.source.lengths[r % B], I = batch.target.lengths[r % B];
    for (std::size_t j = 0; j < J; ++j) far[r * S + j] = distance(r / B, I, j, J);
    null[r * S + J] = 1;
  }
  const Var additive = layers::additive_scores(reshape(query_(queries), {T * B, options_.hidden}), matmul(keys, U_), v_,
                                               {}, {}, sentence);
  const Var bilinear = layers::dot_scores(reshape(matmul(slice(y, 0, 0, T), B_), {T * B, E}), x, sentence);
  const Var place = exp(distance_) * constant(far);
  return {additive + bilinear - place + null_ * constant(null), nothing_(keys)};
}

Var AlignmentLayer::jumps(const Array& last, const Array& next) const {
  const std::size_t R = last.dim(0), S = last.dim(1);
  const auto scores = [&](const Array& position, const Var& of_jump) {
    Array of_kind = autograd::zeros({R, S, jump_kinds});
    for (std::size_t r = 0; r < R; ++r)
      for (std::size_t from = 0; from < S; ++from) {
        if (position[r * S + from] == 0) continue;
        for (std::size_t to = 0; to < S; ++to)
          of_kind[(r * S + to) * jump_kinds + kind_of_jump(from, to)] += position[r * S + from];
      }
    return reshape(matmul(autograd::constant(of_kind), of_jump), {R, S});
  };
  return scores(last, jump_) + scores(next, next_jump_);
}

namespace {

using Rows = std::vector<std::vector<double>>;

// log_sum returns ln sum e^x.
double log_sum(const std::vector<double>& x) {
  const double most = *std::max_element(x.begin(), x.end());
  double total = 0;
  for (const double each : x) total += std::exp(each - most);
  return most + std::log(total);
}

// log_of_rest returns ln(1 - e^x) for an x below 0.
double log_of_rest(double x) { return std::log(std::max(-std::expm1(x), 1e-30)); }

// score_of_jumps returns sum_j' position_j' w_(j-j') for the source word j. `all` is the sum of `position`.
double score_of_jumps(const std::vector<double>& position, double all, std::size_t j, const Array& w) {
  const std::size_t begin = j - std::min<std::size_t>(j, longest_jump), J = position.size();
  double near = 0, score = 0;
  for (std::size_t from = begin; from < std::min(J, j + longest_jump + 1); ++from) {
    near += position[from];
    score += position[from] * static_cast<double>(w[kind_of_jump(from, j)]);
  }
  return score + (all - near) * static_cast<double>(w[jump_kinds - 1]);
}

// add_jumps adds jump_ij to the scores a_ij. `last` and `next` are l and r: the distributions over the source position
// of the nearest linked word before and after each target word. The function goes through the target words several
// times, from left to right and back, and always uses the newest distributions.
void add_jumps(Rows& a, std::size_t J, const Array& w, const Array& z) {
  constexpr std::size_t sweeps = 4;
  const std::size_t I = a.size();
  const Rows without = a;
  Rows last(I + 1, std::vector<double>(J, 0.0)), next = last;  // l_(i-1) is last[i], and r_(i+1) is next[i + 1]
  const auto sum = [](const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); };
  const auto add = [&](std::size_t i) {
    const double of_last = sum(last[i]), of_next = sum(next[i + 1]);
    for (std::size_t j = 0; j < J; ++j)
      a[i][j] = without[i][j] + score_of_jumps(last[i], of_last, j, w) + score_of_jumps(next[i + 1], of_next, j, z);
  };
  const auto pass = [&](std::size_t i, const std::vector<double>& before, std::vector<double>& after) {
    // A word that is aligned to nothing passes on the position of its neighbour.
    const double total = log_sum(a[i]), none = std::exp(a[i][J] - total);
    for (std::size_t j = 0; j < J; ++j) after[j] = std::exp(a[i][j] - total) + none * before[j];
  };
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < I; ++i) add(i), pass(i, last[i], last[i + 1]);
    for (std::size_t i = I; i-- > 0;) add(i), pass(i, next[i + 1], next[i]);
  }
}

// add_agreement computes ln(alpha_ij beta_ij) and ln(alpha_i0 prod_j (1 - beta_ij)). It omits a term that all scores of
// a row share, because the softmax of the row ignores such a term.
void add_agreement(Rows& a, std::size_t J, const std::vector<double>& nothing) {
  std::vector<double> none(a.size(), 0.0);
  for (std::size_t j = 0; j < J; ++j) {
    std::vector<double> column{nothing[j]};
    for (const std::vector<double>& row : a) column.push_back(row[j]);
    const double total = log_sum(column);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double log_beta = a[i][j] - total;
      none[i] += log_of_rest(log_beta);
      a[i][j] += log_beta;
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) a[i][J] += none[i];
}

}  // namespace

std::vector<AlignmentLayer::Aligned> AlignmentLayer::align(const std::vector<const data::Pair*>& pairs) const {
  const autograd::NoGrad no_grad;
  const AlignmentBatch its = batch(pairs);
  const Output out = (*this)(its);
  const Array &scores = out.scores.value(), &nothing = out.nothing.value();
  const std::size_t B = its.size(), S = its.source.steps;
  std::vector<Aligned> found(B);
  for (std::size_t b = 0; b < B; ++b) {
    const std::size_t I = its.target.lengths[b], J = its.source.lengths[b];
    Rows a(I, std::vector<double>(J + 1));
    std::vector<double> of_nothing(J);
    for (std::size_t i = 0; i < I; ++i)
      for (std::size_t j = 0; j <= J; ++j) a[i][j] = scores[(i * B + b) * S + j];
    for (std::size_t j = 0; j < J; ++j) of_nothing[j] = nothing[j * B + b];
    add_jumps(a, J, jump_.value(), next_jump_.value());
    add_agreement(a, J, of_nothing);
    a.emplace_back(J + 1, -std::numeric_limits<double>::infinity());  // </s>
    a.back()[J] = 0;
    for (const std::vector<double>& row : a) {
      const double total = log_sum(row);
      std::vector<float>& weights = found[b].weights.emplace_back();
      for (const double score : row) weights.push_back(static_cast<float>(std::exp(score - total)));
      found[b].scores.emplace_back(row.begin(), row.end());
    }
  }
  return found;
}

namespace {

constexpr const char* kind_of_file = "alignment layer";

std::vector<std::string> words_of(const data::Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (std::size_t id = data::end_id + 1; id < vocabulary.size(); ++id)
    words.push_back(vocabulary.word(static_cast<Id>(id)));
  return words;
}

}  // namespace

void AlignmentLayer::save(const std::string& path) const {
  const nlohmann::ordered_json config{
      {"kind", kind_of_file},    {"embedding", options_.embedding},         {"hidden", options_.hidden},
      {"grams", options_.grams}, {"source_words", words_of(source_words_)}, {"target_words", words_of(target_words_)},
      {"share", share_}};
  Checkpoint checkpoint;
  checkpoint.config = config.dump();
  checkpoint.source_hash = source_words_.hash();
  checkpoint.target_hash = target_words_.hash();
  checkpoint.parameters = named_arrays(params_);
  save_checkpoint(path, checkpoint);
}

namespace {

template <class Refuse>
nlohmann::ordered_json parsed(const std::string& config, const Refuse& refuse) {
  try {
    return data::parse_json(config);
  } catch (const data::Error& error) {
    refuse(error.what());
    throw;
  }
}

}  // namespace

AlignmentLayer AlignmentLayer::load(const std::string& path) {
  Checkpoint checkpoint = load_checkpoint(path);
  const auto refuse = [&](const std::string& problem) {
    throw data::Error(data::ErrorKind::damaged_file,
                      fmt::format("{}: {}, so the file contains no alignment layer of train --align. Copy the file "
                                  "from where the training ran",
                                  path, problem));
  };
  try {
    const nlohmann::ordered_json config = parsed(checkpoint.config, refuse);
    if (config.value("kind", "") != kind_of_file) refuse("the file is the checkpoint of another kind of model");
    AlignmentLayerOptions options;
    const auto size = [&](const char* name, std::size_t most) {
      const auto n = config.at(name).get<std::size_t>();
      if (n == 0 || n > most) refuse(fmt::format("its {} is {}", name, n));
      return n;
    };
    options = {size("embedding", 1 << 14), size("hidden", 1 << 14), size("grams", 1 << 24)};
    AlignmentLayer layer(data::Vocabulary(config.at("source_words").get<data::Tokens>()),
                         data::Vocabulary(config.at("target_words").get<data::Tokens>()), options, Random(0),
                         layers::zeros());        // the file contains the numbers
    layer.set_share(config.value("share", 1.0));  // an older file has none
    if (!(layer.share() >= 0 && layer.share() <= 1)) refuse(fmt::format("its share is {}", layer.share()));
    check_vocabularies(checkpoint, layer.source().hash(), layer.target().hash());
    const auto is_z = [](const NamedArray& array) { return array.name == "z"; };
    if (std::none_of(checkpoint.parameters.begin(), checkpoint.parameters.end(), is_z))  // saved by an older version
      checkpoint.parameters.push_back({"z", autograd::zeros({jump_kinds, 1})});
    restore(path, checkpoint.parameters, named_arrays(layer.params_));
    if (const std::string name = first_not_finite(checkpoint.parameters); !name.empty())
      refuse(fmt::format("some numbers of {} are not finite", name));
    return layer;
  } catch (const nlohmann::json::exception& error) {
    refuse(error.what());
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  throw std::logic_error("not reached");
}

}  // namespace softalign::models
