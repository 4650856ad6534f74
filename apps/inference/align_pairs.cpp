#include "apps/inference/align_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "apps/inference/scores.h"
#include "apps/inference/self_attention.h"
#include "apps/inference/source_image.h"
#include "apps/run/ensemble_run.h"
#include "apps/run/run_text.h"
#include "data/alignment/symmetrisation.h"

namespace softalign::apps {

namespace {

// A text of no words is enough to tell.
bool looks_at_itself(const Run& run) {
  return is_of_texts(run.options) && !self_attention(*run.model, run.params, {data::EncodedPair{}}).front().empty();
}

void check_opposite(const Run& run, const Run& reverse, const std::string& reverse_name) {
  const TrainOptions &a = run.options, &b = reverse.options;
  if (a.tokenizer != b.tokenizer || a.lowercase != b.lowercase) {
    throw std::runtime_error(
        fmt::format("{}: its words are not the run's (--tokenizer {} and {}, or lower case), so links cannot be joined",
                    reverse_name, b.tokenizer, a.tokenizer));
  }
  if (run.source.hash() == reverse.source.hash() && run.target.hash() == reverse.target.hash() &&
      a.model.tie != "all") {
    throw std::runtime_error(fmt::format(
        "{}: a run of the same direction, with the same vocabularies; links are joined with those of the opposite one",
        reverse_name));
  }
}

// Calls `use` with the first place and the pairs of each part of the corpus.
void in_parts(const std::vector<data::Pair>& pairs,
              const std::function<void(std::size_t, const std::vector<data::Pair>&)>& use) {
  constexpr std::size_t part = 1024;
  for (std::size_t begin = 0; begin < pairs.size(); begin += part) {
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(begin);
    use(begin, {first, first + static_cast<std::ptrdiff_t>(std::min(part, pairs.size() - begin))});
  }
}

std::vector<data::Record> records_of_written(const Run& run, const std::vector<std::size_t>& ids,
                                             const std::vector<data::Pair>& pairs, Tokens tokens, Looks looks) {
  std::vector<data::Record> records;
  std::vector<ForcedPair> forced = force(run, pairs);
  if (looks != Looks::at_source) add_self_attention(forced, run, pairs);
  // A text has no source but </s>, and what its words look at is the text.
  if (is_of_texts(run.options))
    for (ForcedPair& text : forced) text.weights.matrix.assign(text.log_prob.size(), {1.0f});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const PiecePair pieces = in_pieces(run, pairs[i]);
    records.push_back(tokens == Tokens::pieces ? forced_record(pieces.pair, forced[i], ids[i])
                                               : forced_record(pairs[i], in_words(forced[i], pieces), ids[i]));
    records.back().mode = record_mode(run, records.back().mode);
    add_text(records.back(), run, pairs[i], tokens);
    add_image(records.back(), pairs[i].picture);
  }
  if (looks == Looks::scored) add_scores(records, run, pairs);
  return records;
}

// A record without tokens that holds the lines of the pair.
data::Record blank_record(const data::Pair& pair, std::size_t id) {
  data::Record record = data::blank_record(id);
  record.source_original = data::Original{pair.source_line, {}};
  record.target_original = data::Original{pair.target_line, {}};
  record.tags = pair.tags;
  return record;
}

// The records of all pairs; a blank pair has a blank record.
std::vector<data::Record> records_of(const Run& run, std::size_t begin, const std::vector<data::Pair>& pairs,
                                     Tokens tokens, Looks looks) {
  std::vector<std::size_t> ids;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (!pairs[i].blank) ids.push_back(begin + i);
  if (ids.size() == pairs.size()) return records_of_written(run, ids, pairs, tokens, looks);
  std::vector<data::Pair> written;
  for (const std::size_t id : ids) written.push_back(pairs[id - begin]);
  std::vector<data::Record> found, records;
  if (!written.empty()) found = records_of_written(run, ids, written, tokens, looks);
  auto next = found.begin();
  for (std::size_t i = 0; i < pairs.size(); ++i)
    records.push_back(pairs[i].blank ? blank_record(pairs[i], begin + i) : std::move(*next++));
  return records;
}

}  // namespace

void check_attends(const Run& run, const std::string& name, Looks looks) {
  if (run.model->decoder().attends()) return;
  if (looks_at_itself(run)) {
    if (looks != Looks::at_source) return;
    throw std::runtime_error(
        fmt::format("--run {}: its model ({}) looks at its own text alone, which is aligned with nothing; align "
                    "--format jsonl says where each word looks",
                    name, run.options.model.model));
  }
  throw std::runtime_error(
      fmt::format("--run {}: its model ({}) has no attention, so it aligns nothing", name, run.options.model.model));
}

void align_pairs(const Run& run, const std::string& name, const std::vector<data::Pair>& pairs, Tokens tokens,
                 Looks looks, const std::function<void(const data::Record&)>& use) {
  if (!pairs.empty()) check_attends(run, name, looks);
  in_parts(pairs, [&](std::size_t begin, const std::vector<data::Pair>& now) {
    for (const data::Record& record : records_of(run, begin, now, tokens, looks)) use(record);
  });
}

void align_both_ways(const Run& run, const std::string& name, const Run& reverse, const std::string& reverse_name,
                     const std::vector<data::Pair>& pairs,
                     const std::function<void(data::Record forward, const data::Record& backward)>& use) {
  check_attends(run, name);
  check_attends(reverse, reverse_name);
  check_opposite(run, reverse, reverse_name);
  in_parts(pairs, [&](std::size_t begin, const std::vector<data::Pair>& now) {
    std::vector<data::Record> forward = records_of(run, begin, now, Tokens::words, Looks::at_source);
    const std::vector<data::Record> backward =
        records_of(reverse, begin, data::turned(now), Tokens::words, Looks::at_source);
    for (std::size_t i = 0; i < now.size(); ++i) use(std::move(forward[i]), backward[i]);
  });
}

}  // namespace softalign::apps
