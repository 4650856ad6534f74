#include "apps/training/seq2seq_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/inference/align_pairs.h"
#include "apps/inference/evaluation_report.h"
#include "apps/inference/unknown_words.h"
#include "apps/run/corpus_files.h"
#include "apps/run/run_text.h"
#include "apps/training/recorded_pairs.h"
#include "apps/training/swapped_columns.h"
#include "autograd/threads/blas.h"
#include "autograd/threads/shards.h"
#include "data/alignment/record_json.h"
#include "data/corpus/layout.h"
#include "data/io/commands.h"
#include "data/io/shipped.h"
#include "models/registry.h"
#include "models/training/batch_gradient.h"

namespace softalign::apps {

namespace {

// A tracked sentence with at most this many words per side is recorded with all heads. All heads have layers x heads x
// words^2 weights, so the history of longer sentences would take gigabytes.
constexpr std::size_t longest_with_heads = 200;
// If at least this percentage of the validation answers is right, no restart is needed.
constexpr double answers_when_learnt = 97;

std::string name_of(const data::Pair& pair) {
  return fmt::format("line {}: {}", pair.line, data::join_words(pair.source.empty() ? pair.target : pair.source));
}

}  // namespace

Seq2SeqTask::Seq2SeqTask(LoadedRun& run, const TrainingData& data)
    : run_(run), options_(run.options), data_(data), pairs_(encode(run, data.train.pairs)) {
  std::size_t T = 1;
  for (const data::EncodedPair& pair : pairs_) T = std::max(T, pair.target.size() + 1);
  baseline_ = autograd::zeros({T});
}

models::Checkpoint Seq2SeqTask::checkpoint() const { return checkpoint_of(run_); }

std::string Seq2SeqTask::unknown_note() const {
  std::string text;
  const auto add = [&](const std::vector<data::EncodedPair>& pairs, const char* what) {
    for (const auto& [side, name] :
         {std::pair{&data::EncodedPair::source, "source"}, {&data::EncodedPair::target, "target"}}) {
      std::size_t all = 0, unknown = 0;
      for (const data::EncodedPair& pair : pairs) {
        const data::Ids& ids = pair.*side;
        all += ids.size();
        unknown += static_cast<std::size_t>(std::count(ids.begin(), ids.end(), data::unk_id));
      }
      if (all == 0 || 2 * unknown < all) continue;
      text += fmt::format(
          "note: {} of the {} {} words to {} are not in the vocabulary, so the model reads or writes <unk> "
          "instead and cannot learn these words; {}\n",
          unknown == all ? std::string("all") : fmt::format("{}", unknown), all, name, what,
          what == std::string("train on") ? "lower --min-count or raise --max-vocabulary"
                                          : "training and validation files should be of one kind of text");
    }
  };
  add(pairs_, "train on");
  add(encode(run_, data_.valid.pairs), "validate");
  SwappedColumns swapped(run_);
  for (const data::Pair& pair : data_.valid.pairs) swapped.add(pair.source, pair.target);
  return swapped.found() ? text + note_of_swapped(run_, options_) : text;
}

DataIdentity Seq2SeqTask::data() const { return {"pairs", hash(pairs_), hash(encode(run_, data_.valid.pairs))}; }

std::vector<autograd::Indices> Seq2SeqTask::batches(std::size_t epoch) const {
  return data::plan_batches(pairs_, batch_options(options_), epoch);
}

std::size_t Seq2SeqTask::targets(const autograd::Indices& batch) const {
  std::size_t words = 0;
  for (const std::size_t i : batch) words += pairs_[i].target.size() + 1;
  return words;
}

std::size_t Seq2SeqTask::shards() const { return autograd::worthwhile_shards(run_.params, autograd::threads()); }

std::string Seq2SeqTask::name(std::size_t example) const { return name_of(data_.train.pairs[example]); }

std::string Seq2SeqTask::recorded(const std::vector<autograd::Indices>& batches) const {
  RecordedPairs recorded{run_.source.size(), run_.target.size(), {}, {}};
  for (const autograd::Indices& batch : batches) {
    recorded.batches.emplace_back();
    for (const std::size_t i : batch) {
      recorded.batches.back().push_back(pairs_[i]);
      recorded.names.push_back(name(i));
    }
  }
  if (batches.empty()) {
    recorded.batches.push_back(encode(run_, data_.valid.pairs));
    for (const data::Pair& pair : data_.valid.pairs) recorded.names.push_back(name_of(pair));
  }
  return format(recorded);
}

std::vector<std::string> Seq2SeqTask::losses() const {
  std::vector<std::string> names{"loss"};
  for (const models::AttentionLoss& loss : models::attention_losses()) names.emplace_back(loss.name);
  return names;
}

std::vector<double> Seq2SeqTask::forward_backward(const autograd::Indices& batch, const StepPart& step) {
  const models::Objective objective = objective_in(options_, step.steps, step.epoch, baseline_);
  const models::SummedLosses sums =
      models::add_batch_gradient(*run_.model, run_.params, data::make_batch(pairs_, batch), objective, step.random,
                                 {.shards = shards(), .words = step.targets, .slice = step.slice});
  rewards_ += sums.rewards;
  std::vector<double> values{sums.words};
  values.insert(values.end(), sums.attention.begin(), sums.attention.end());
  return values;
}

std::vector<double> Seq2SeqTask::step_sums() const {
  if (!options_.model.hard_attention) return {};
  models::Rewards all = rewards_;
  all.sums.resize(baseline_.size()), all.captions.resize(baseline_.size());
  all.sums.insert(all.sums.end(), all.captions.begin(), all.captions.end());
  return all.sums;
}

void Seq2SeqTask::step_done(const std::vector<double>& sums) {
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(sums.size() / 2);
  models::follow(baseline_, {{sums.begin(), middle}, {middle, sums.end()}});
  rewards_ = {};
}

models::NamedArrays Seq2SeqTask::memory() const {
  if (!options_.model.hard_attention) return {};
  return {{reward_baseline, baseline_}};
}

void Seq2SeqTask::restart(std::size_t n) {
  autograd::Params fresh(initial_weights(options_).split(n));
  const auto model = models::make_model(options_.model, fresh);
  const models::NamedArrays from = models::named_arrays(fresh), to = models::named_arrays(run_.params);
  for (std::size_t i = 0; i < to.size(); ++i)
    std::copy_n(from[i].array.data(), from[i].array.size(), autograd::Array(to[i].array).data());
  baseline_.fill(0);
}

Validation Seq2SeqTask::validate(std::size_t epoch) {
  const std::vector<EvaluatedPair> valid = evaluate(run_, data_.valid.pairs, {});
  score_ = apps::score(valid);
  tracked_.clear();
  const bool learnt = task_of(options_).one_word && score_.exact_match() >= answers_when_learnt;
  Validation result{score_.loss(), quality(), {}, learnt};
  const std::size_t n = score_.attention_rows > 0 ? std::min(options_.track, valid.size()) : 0;
  const auto with_heads = [](const data::Pair& pair) {
    return std::max(pair.source.size(), pair.target.size()) <= longest_with_heads;
  };
  std::vector<data::Pair> pairs;
  for (std::size_t i = 0; i < n; ++i)
    if (with_heads(*valid[i].pair)) pairs.push_back(*valid[i].pair);
  std::vector<TeacherForcedPair> heads(pairs.size());
  add_self_attention(heads, run_, pairs);
  auto next = heads.begin();
  for (std::size_t i = 0; i < n; ++i) {
    tracked_.push_back(teacher_forced_record(*valid[i].pair, valid[i].teacher_forced, i));
    if (with_heads(*valid[i].pair)) {
      for (data::Head& head : in_words(*next, in_subwords(run_, *valid[i].pair)).weights.heads)
        tracked_.back().weights.heads.push_back(std::move(head));
      ++next;
    } else {
      tracked_.back().weights.heads.clear();
    }
    add_text(tracked_.back(), run_, *valid[i].pair);
    add_image(tracked_.back(), valid[i].pair->picture);
    tracked_.back().epoch = epoch;
    result.tracked.push_back(to_json(tracked_.back()));
  }
  return result;
}

double Seq2SeqTask::quality() const {
  if (options_.keep == BestBy::bleu) return score_.bleu.score();
  if (options_.keep == BestBy::aer) return -score_.alignment.aer();
  return -score_.loss();
}

nlohmann::ordered_json Seq2SeqTask::training_scores(const std::vector<double>& means) const {
  nlohmann::ordered_json values{{"loss", means[0]}, {"perplexity", std::exp(means[0])}};
  for (std::size_t i = 0; i + 1 < means.size(); ++i) {
    const models::AttentionLoss& loss = models::attention_losses()[i];
    if (options_.objective.*loss.weight > 0) values[loss.name] = means[i + 1];
  }
  return values;
}

nlohmann::ordered_json Seq2SeqTask::validation_scores() const { return json_of(score_); }

models::Objective objective_in(const TrainOptions& o, std::size_t steps, std::size_t epoch,
                               const autograd::Array& baseline) {
  models::Objective objective = o.objective;
  objective.teacher_forcing_ratio = teacher_forcing_ratio(o.sampling, steps);
  const double done = static_cast<double>(epoch) / static_cast<double>(o.epochs);
  objective.linear_start = done <= o.linear_start;
  if (o.model.hard_attention)
    objective.hard_attention = {.fraction = models::sampled_fraction(done), .baseline = baseline};
  return objective;
}

TrainerOptions trainer_options(const TrainOptions& o) {
  return {.seed = o.common.seed,
          .epochs = o.epochs,
          .restarts = o.restarts,
          .gradient_accumulation = o.gradient_accumulation,
          .optimiser = o.optimiser,
          .schedule = o.schedule,
          .clip = o.clip,
          .ema = o.ema,
          .kernels = o.kernels,
          .patience = o.patience,
          .keep_epochs = o.keep_epochs,
          .save_every = o.save_every,
          .gradient_dtype = o.gradient_dtype};
}

models::Checkpoint checkpoint_of(const LoadedRun& run) {
  models::Checkpoint checkpoint;
  checkpoint.config = run.config;
  checkpoint.source_hash = run.source.hash();
  checkpoint.target_hash = run.target.hash();
  checkpoint.parameters = models::named_arrays(run.params);
  return checkpoint;
}

}  // namespace softalign::apps
