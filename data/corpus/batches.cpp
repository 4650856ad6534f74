#include "data/corpus/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace softalign::data {
namespace {

void check_indices(const Indices& indices, std::size_t pairs) {
  if (indices.empty()) throw std::invalid_argument("make_batch: no index, a batch needs at least one pair");
  for (const std::size_t i : indices) {
    if (i >= pairs) throw std::invalid_argument(fmt::format("make_batch: index {} in a corpus of {} pairs", i, pairs));
  }
}

// Padded is one side of a batch: the sequence of(b) for each b < B, between the ids `first` and `last`. A negative id
// is left out. All sequences are padded to the longest one, and the ids are time-major.
struct Padded {
  Ids ids;                           // (steps*B)
  std::vector<std::size_t> lengths;  // (B)
  std::size_t steps = 0;
};

template <class Sequence>
Padded pad(std::size_t size, Id first, Id last, Sequence of) {
  const std::size_t extra = (first >= 0) + (last >= 0);
  Padded out;
  for (std::size_t b = 0; b < size; ++b) out.lengths.push_back(of(b).size() + extra);
  out.steps = *std::max_element(out.lengths.begin(), out.lengths.end());
  out.ids.assign(out.steps * size, pad_id);
  for (std::size_t b = 0; b < size; ++b) {
    std::size_t t = 0;
    const auto put = [&](Id id) { out.ids[t++ * size + b] = id; };
    if (first >= 0) put(first);
    for (const Id id : of(b)) put(id);
    if (last >= 0) put(last);
  }
  return out;
}

void set_source(Batch& batch, const Indices& indices, Padded source) {
  batch.size = indices.size();
  batch.index = indices;
  batch.source = std::move(source.ids);
  batch.source_lengths = std::move(source.lengths);
  batch.source_steps = source.steps;
  batch.places = batch.source_lengths;
}

// Pictures have no ids, so their steps are their positions.
void set_pictures(Batch& batch, const std::vector<EncodedPair>& corpus, const Indices& indices) {
  Padded cells;
  for (const std::size_t i : indices) {
    if (!corpus[i].picture) throw std::invalid_argument("make_batch: pictures and words in one batch");
    batch.pictures.push_back(corpus[i].picture);
    cells.lengths.push_back(corpus[i].places);
    cells.steps = std::max(cells.steps, corpus[i].places);
  }
  set_source(batch, indices, std::move(cells));
}

}  // namespace

std::vector<EncodedPair> encode(const std::vector<Pair>& pairs, const Vocabulary& source, const Vocabulary& target) {
  std::vector<EncodedPair> encoded;
  encoded.reserve(pairs.size());
  for (const Pair& pair : pairs) {
    const bool taught = pair.gold && !places_of(pair).empty();  // a text has gold links to its own words
    encoded.push_back({with_ends(source.ids(pair.source), pair.parts), target.ids(pair.target),
                       taught ? pair.gold->sure : Links{}, pair.places.size(), pair.picture});
  }
  return encoded;
}

Ids with_ends(const Ids& words, const std::vector<std::size_t>& parts) {
  if (parts.empty()) return words;
  Ids ids;
  auto word = words.begin();
  for (const std::size_t length : parts) {
    if (!ids.empty()) ids.push_back(end_id);
    ids.insert(ids.end(), word, word + static_cast<std::ptrdiff_t>(length));
    word += static_cast<std::ptrdiff_t>(length);
  }
  return ids;
}

std::uint64_t hash(const std::vector<EncodedPair>& pairs) {
  autograd::Fnv1a hash;
  const auto add_ids = [&](const Ids& ids) {
    hash.add(ids.size());  // without it, a word could move to the other side unnoticed
    for (const Id id : ids) hash.add(static_cast<std::uint64_t>(id));
  };
  for (const EncodedPair& pair : pairs) {
    add_ids(pair.source);
    add_ids(pair.target);
    hash.add(pair.sure.size());
    for (const Link& link : pair.sure) hash.add(link.source).add(link.target);
    if (!pair.picture) continue;
    hash.add(pair.picture->height).add(pair.picture->width);
    for (const std::uint8_t value : pair.picture->rgb) hash.add(value);
  }
  return hash.value;
}

Batch make_batch(const std::vector<EncodedPair>& corpus, const Indices& indices) {
  const std::size_t size = indices.size();
  const auto target = [&](std::size_t b) -> const Ids& { return corpus[indices[b]].target; };
  Batch batch = make_source_batch(corpus, indices);
  batch.targets.in = pad(size, start_id, -1, target).ids;
  Padded out = pad(size, -1, end_id, target);
  batch.targets.out = std::move(out.ids);
  batch.target_lengths = std::move(out.lengths);
  batch.targets.steps = out.steps;
  for (const std::size_t i : indices) batch.sure.push_back(corpus[i].sure);
  return batch;
}

Batch make_source_batch(const std::vector<EncodedPair>& corpus, const Indices& indices) {
  check_indices(indices, corpus.size());
  Batch batch;
  if (corpus[indices.front()].picture) {
    set_pictures(batch, corpus, indices);
    return batch;
  }
  set_source(batch, indices,
             pad(indices.size(), -1, end_id, [&](std::size_t b) -> const Ids& { return corpus[indices[b]].source; }));
  for (std::size_t b = 0; b < batch.size; ++b)
    if (const std::size_t places = corpus[indices[b]].places; places > 0) batch.places[b] = places;
  return batch;
}

std::vector<Indices> plan_batches(const std::vector<EncodedPair>& corpus, const BatchOptions& options,
                                  std::size_t epoch) {
  if (options.tokens == 0 && options.sentences == 0) {
    throw std::invalid_argument("plan_batches: batches of 0 sentences; give a number of sentences or of tokens");
  }
  autograd::Random random = autograd::Random(options.seed).split("batches").split(epoch);
  Indices order = random.different(corpus.size(), corpus.size());
  // Sorting after the shuffle leaves pairs of equal lengths in random order.
  std::stable_sort(order.begin(), order.end(), [&corpus](std::size_t a, std::size_t b) {
    const auto lengths = [&corpus](std::size_t i) {
      return std::pair(corpus[i].target.size(), corpus[i].source.size());
    };
    return lengths(a) < lengths(b);
  });

  std::vector<Indices> batches;
  for (const std::size_t i : order) {
    // Target lengths increase in this order, so this pair would determine the number of steps.
    const std::size_t steps = corpus[i].target.size() + 1;
    const bool full = batches.empty() || (options.tokens > 0 ? (batches.back().size() + 1) * steps > options.tokens
                                                             : batches.back().size() >= options.sentences);
    if (full) batches.emplace_back();
    batches.back().push_back(i);
  }
  random.shuffle(batches);
  return batches;
}

}  // namespace softalign::data
