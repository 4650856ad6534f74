#include "apps/inference/align_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "apps/cli/common_options.h"
#include "apps/pages/picture.h"
#include "apps/run/layer_matrix.h"
#include "apps/run/run_folder.h"
#include "apps/run/run_text.h"
#include "autograd/var.h"
#include "data/alignment/symmetrisation.h"
#include "data/io/error.h"
#include "models/registry.h"
#include "models/search/observation.h"

namespace softalign::apps {

namespace {

// Returns true if the run has no source and its model has self-attention. An empty text is enough to find out.
bool attends_to_itself(const LoadedRun& run) {
  return !task_of(run.options).has_source() &&
         !self_attention(*run.model, run.params, {data::EncodedPair{}}).front().empty();
}

void check_opposite(const LoadedRun& run, const LoadedRun& reverse, const std::string& reverse_name) {
  const TrainOptions &a = run.options, &b = reverse.options;
  if (a.tokenizer != b.tokenizer || a.lowercase != b.lowercase) {
    throw data::Error(
        data::ErrorKind::wrong_usage,
        fmt::format("{}: this run and --run split text into different words (--tokenizer {} and {}, or lower case), so "
                    "their links cannot be combined. Train both runs with the same --tokenizer and --lowercase",
                    reverse_name, autograd::name_of(b.tokenizer), autograd::name_of(a.tokenizer)));
  }
  if (run.source.hash() == reverse.source.hash() && run.target.hash() == reverse.target.hash() &&
      a.model.tie != models::Tie::all) {
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("{}: this run has the same direction and vocabularies as --run. Name a run of the "
                                  "opposite direction, for example one of train --swap-sides",
                                  reverse_name));
  }
}

// Calls `use` for each part of the corpus, with the index of its first pair and with its pairs.
void in_parts(const std::vector<data::Pair>& pairs,
              const std::function<void(std::size_t, const std::vector<data::Pair>&)>& use) {
  constexpr std::size_t part = 1024;
  for (std::size_t begin = 0; begin < pairs.size(); begin += part) {
    const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(begin);
    use(begin, {first, first + static_cast<std::ptrdiff_t>(std::min(part, pairs.size() - begin))});
  }
}

// Returns a record without tokens that contains the lines of the pair.
data::Record blank_record(const data::Pair& pair, std::size_t id) {
  data::Record record = data::blank_record(id);
  record.source_original = data::Original{pair.source_line, {}};
  record.target_original = data::Original{pair.target_line, {}};
  record.tags = pair.tags;
  return record;
}

// Returns the records of all pairs, with ids from `begin` on. A blank pair has a blank record.
std::vector<data::Record> records_of(const LoadedRun& run, std::size_t begin, const std::vector<data::Pair>& pairs,
                                     Units units, AttentionDetail detail) {
  std::vector<data::Pair> written;
  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(written), [](const auto& pair) { return !pair.blank; });
  std::vector<TeacherForcedPair> teacher_forced;
  if (!written.empty()) teacher_forced = teacher_force(run, written);
  const bool weights = detail != AttentionDetail::none;
  if (!written.empty() && weights && detail != AttentionDetail::at_source)
    add_self_attention(teacher_forced, run, written);
  if (!weights)
    for (TeacherForcedPair& text : teacher_forced) text.weights = {};
  // The only source token of a text is </s>, so each row has the single weight 1. The words of a text attend to the
  // text itself.
  if (weights && !task_of(run.options).has_source())
    for (TeacherForcedPair& text : teacher_forced) text.weights.matrix.assign(text.log_prob.size(), {1.0f});
  std::vector<data::Record> found;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const SubwordPair subwords = in_subwords(run, written[i]);
    found.push_back(units == Units::subwords
                        ? teacher_forced_record(subwords.pair, teacher_forced[i], 0)
                        : teacher_forced_record(written[i], in_words(teacher_forced[i], subwords), 0));
    found.back().mode = record_mode(run, found.back().mode);
    add_text(found.back(), run, written[i], units);
    add_image(found.back(), written[i].picture);
    if (!weights) found.back().gold.reset();  // there are no links to compare with it
  }
  if (!written.empty() && detail == AttentionDetail::scored) add_scores(found, run, written);
  std::vector<data::Record> records;
  auto next = found.begin();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    records.push_back(pairs[i].blank ? blank_record(pairs[i], begin + i) : std::move(*next++));
    records.back().id = begin + i;
  }
  return records;
}

}  // namespace

bool has_attention(const LoadedRun& run) {
  return run.model->decoder().attends() || run.alignment_layer || attends_to_itself(run);
}

void check_attends(const LoadedRun& run, const std::string& name, AttentionDetail detail) {
  if (detail == AttentionDetail::none || run.model->decoder().attends() || run.alignment_layer) return;
  if (attends_to_itself(run)) {
    if (detail != AttentionDetail::at_source) return;
    throw data::Error(data::ErrorKind::wrong_usage,
                      fmt::format("--run {}: the model {} attends only to its own text, so it cannot align two texts. "
                                  "To see the attention of each word, use: align --format jsonl",
                                  name, run.options.model.model));
  }
  throw data::Error(data::ErrorKind::wrong_usage,
                    fmt::format("--run {}: the model {} has no attention, so it cannot align words. Use a run with "
                                "attention, or the program links",
                                name, run.options.model.model));
}

void align_pairs(const LoadedRun& run, const std::string& name, const std::vector<data::Pair>& pairs, Units units,
                 AttentionDetail detail, const std::function<void(data::Record)>& use) {
  if (!pairs.empty()) check_attends(run, name, detail);
  in_parts(pairs, [&](std::size_t begin, const std::vector<data::Pair>& now) {
    for (data::Record& record : records_of(run, begin, now, units, detail)) use(std::move(record));
  });
}

void align_both_ways(const LoadedRun& run, const std::string& name, const LoadedRun& reverse,
                     const std::string& reverse_name, const std::vector<data::Pair>& pairs,
                     const std::function<void(data::Record forward, const data::Record& backward)>& use) {
  check_attends(run, name);
  check_attends(reverse, reverse_name);
  check_opposite(run, reverse, reverse_name);
  in_parts(pairs, [&](std::size_t begin, const std::vector<data::Pair>& now) {
    std::vector<data::Record> forward = records_of(run, begin, now, Units::words, AttentionDetail::at_source);
    const std::vector<data::Record> backward =
        records_of(reverse, begin, data::turned(now), Units::words, AttentionDetail::at_source);
    for (std::size_t i = 0; i < now.size(); ++i) use(std::move(forward[i]), backward[i]);
  });
}

namespace {

void append(std::vector<data::Head>& heads, std::vector<data::Head> more) {
  heads.insert(heads.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

void add_self_attention(std::vector<TeacherForcedPair>& teacher_forced, const LoadedRun& run,
                        const std::vector<data::Pair>& pairs) {
  auto heads = self_attention(*run.model, run.params, encode(run, pairs), usual_batch, run.processes);
  for (std::size_t i = 0; i < teacher_forced.size(); ++i) append(teacher_forced[i].weights.heads, std::move(heads[i]));
}

bool add_self_attention(models::Hypothesis& found, const LoadedRun& run, const SourceText& source) {
  const std::size_t most = models::most_words(run.options.model);
  const bool known = found.ids.size() <= most;
  data::Ids ids = found.ids;
  if (!known) ids.resize(most);
  std::vector<data::Head> heads = std::move(self_attention(*run.model, run.params, {encoded(source, ids)}).front());
  if (!known) std::erase_if(heads, [](const data::Head& head) { return head.kind != data::HeadKind::encoder_self; });
  // A translation that ended at its length limit has no row and no column for </s>.
  const std::size_t steps = found.weights.matrix.size();
  for (data::Head& head : heads) {
    if (head.kind == data::HeadKind::encoder_self) continue;
    head.matrix.resize(steps);
    for (auto& row : head.matrix) row.resize(steps);
  }
  append(found.weights.heads, std::move(heads));
  return known;
}

std::string note_of_self_attention(const LoadedRun& run, std::size_t left_out) {
  if (left_out == 0) return "";
  return fmt::format(
      "{} translation{} more than {} tokens, and the model has no positions for more; {} without the self-attention "
      "of the target",
      left_out, left_out == 1 ? " has" : "s have", models::most_words(run.options.model),
      left_out == 1 ? "its record is" : "their records are");
}

void check_scores(const LoadedRun& run, bool subwords) {
  if (run.members > 1)
    throw UsageError(
        "--scores needs exactly one --run, because the weights of an ensemble are means and have no scores");
  const models::Decoder& decoder = run.model->decoder();
  if (decoder.attends() && !decoder.has_scores())
    throw UsageError(
        fmt::format("--scores: the attention weights of the model {} are not a softmax of scores. Remove --scores",
                    run.options.model.model));
  if (subwords && run.alignment_layer)
    throw UsageError(
        "--scores: the alignment layer has scores for words, and --subwords requests scores for subwords. Add "
        "--alignment-by decoder");
  if (subwords || run.source_segmenter.whole_words()) return;
  throw UsageError("--scores: this run splits words into subwords, and only subwords have scores. Add --subwords");
}

void add_scores(data::Record& record, const LoadedRun& run, const data::EncodedPair& pair) {
  if (record.weights.decoder_head() != nullptr) {
    data::Record decoders = record;
    for (data::Head& head : decoders.weights.heads)
      if (head.kind == data::HeadKind::decoder) decoders.weights.matrix = std::move(head.matrix);
    std::erase_if(decoders.weights.heads, [](const data::Head& head) { return head.kind == data::HeadKind::decoder; });
    add_scores(decoders, run, pair);
    for (std::size_t h = 0, k = 0; h < record.weights.heads.size(); ++h)
      if (record.weights.heads[h].kind != data::HeadKind::decoder)
        record.weights.heads[h].scores = std::move(decoders.weights.heads[k++].scores);
    record.weights.scores = std::move(decoders.weights.scores);
    record.weights.norms = std::move(decoders.weights.norms);
    set_layer_scores(record, run);
    return;
  }
  if (!run.model->decoder().has_scores()) return;
  const autograd::NoGrad no_grad;
  const data::Batch batch = data::make_batch(std::vector<data::EncodedPair>{pair}, {0});
  models::Observation seen = observe(run.model->decoder(), run.model->encode(batch), batch.targets);
  // A translation that ended at its length limit has no row for </s>.
  for (data::Matrix& scores : seen.scores) scores.resize(record.weights.matrix.size());
  seen.norms.context.resize(record.weights.matrix.size());
  // If the record has single heads, its matrix is computed from the heads, so only the heads have scores.
  std::size_t k = 0;
  for (data::Head& head : record.weights.heads)
    if (head.kind == data::HeadKind::cross) head.scores = std::move(seen.scores.at(k++));
  if (k > 0) return;
  record.weights.scores = std::move(seen.scores.front());
  record.weights.norms = std::move(seen.norms);
}

void add_scores(std::vector<data::Record>& records, const LoadedRun& run, const std::vector<data::Pair>& pairs) {
  const std::vector<data::EncodedPair> ids = encode(run, pairs);
  const auto add = [&](const std::vector<std::size_t>& mine, std::vector<data::AttentionWeights>& weights) {
    for (const std::size_t i : mine) {
      add_scores(records[i], run, ids[i]);
      weights[i] = std::move(records[i].weights);
    }
  };
  std::vector<data::AttentionWeights> weights =
      scatter_gather<data::AttentionWeights>(run.processes, records.size(), add);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].weights = std::move(weights[i]);
}

void add_image(data::Record& record, const std::shared_ptr<const data::Picture>& picture) {
  if (picture) record.source_image = data_address(*picture);
}

data::Record complete_record(const LoadedRun& run, const SourceText& source, const models::Hypothesis& found,
                             data::DecodingMode mode, std::size_t id, std::size_t rank, MatrixBy matrix) {
  data::Record record = hypothesis_record(run, source, found, mode, id, rank, matrix);
  add_text(record, run, source, placed_sentence(run, record.target));
  add_image(record, source.picture);
  return record;
}

}  // namespace softalign::apps
