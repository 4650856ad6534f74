#include "data/corpus/batch.h"

namespace softalign::data {

namespace {

// columns returns the columns [begin, end) of the first `steps` rows of a time-major matrix with B columns.
Ids columns(const Ids& ids, std::size_t B, std::size_t steps, std::size_t begin, std::size_t end) {
  Ids part;
  if (ids.empty()) return part;
  part.reserve(steps * (end - begin));
  for (std::size_t t = 0; t < steps; ++t)
    for (std::size_t b = begin; b < end; ++b) part.push_back(ids[t * B + b]);
  return part;
}

template <class T>
std::vector<T> range(const std::vector<T>& all, std::size_t begin, std::size_t end) {
  if (all.empty()) return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

std::size_t longest(const std::vector<std::size_t>& lengths) {
  return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

}  // namespace

std::vector<Batch> split(const Batch& batch, std::size_t parts) {
  const std::size_t B = batch.size, count = std::max<std::size_t>(1, std::min(parts, B));
  std::vector<Batch> result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = B * i / count, end = B * (i + 1) / count;
    Batch part;
    part.size = end - begin;
    part.source_lengths = range(batch.source_lengths, begin, end);
    part.target_lengths = range(batch.target_lengths, begin, end);
    part.index = range(batch.index, begin, end);
    part.sure = range(batch.sure, begin, end);
    part.places = range(batch.places, begin, end);
    part.pictures = range(batch.pictures, begin, end);
    part.source_steps = longest(part.source_lengths);
    part.targets.steps = longest(part.target_lengths);
    part.source = columns(batch.source, B, part.source_steps, begin, end);
    part.targets.in = columns(batch.targets.in, B, part.targets.steps, begin, end);
    part.targets.out = columns(batch.targets.out, B, part.targets.steps, begin, end);
    result.push_back(std::move(part));
  }
  return result;
}

}  // namespace softalign::data
