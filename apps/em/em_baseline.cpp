#include "apps/em/em_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "apps/run/corpus_files.h"
#include "apps/run/provenance.h"
#include "apps/run/run_text.h"
#include "data/alignment/em/em_aligner.h"
#include "data/alignment/symmetrisation.h"
#include "data/corpus/batches.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"
#include "data/io/shipped.h"
#include "models/checkpoint.h"

namespace softalign::apps {

namespace {

struct Read {
  data::Corpus corpus;
  std::string problem;  // why the pairs are not the training pairs of the run, or why this is unknown
  bool usable = true;
};

// A run of an earlier build has no provenance.json, but its training state may contain the hash of the pairs.
Read checked_by_state(data::Corpus corpus, const LoadedRun& run, const RunFolder& folder, const std::string& name) {
  const std::string unchecked = fmt::format(
      "an earlier build trained this run and did not record its training pairs, so nothing shows whether {} has "
      "changed since then",
      name);
  if (!data::exists(folder.last())) return {std::move(corpus), unchecked};
  const models::Checkpoint state = models::load_checkpoint(folder.last());
  const auto saved = state.counters.find("training_hash");
  if (saved == state.counters.end()) return {std::move(corpus), unchecked};
  const std::uint64_t now = hash(encode(run, corpus.pairs));
  if (static_cast<std::uint64_t>(saved->second) == now) return {std::move(corpus), ""};
  return {{}, fmt::format("{} has changed since this run was trained on it, as {} shows", name, folder.last()), false};
}

std::string name_of(const CorpusFiles& files) { return files.source.empty() ? files.tsv : files.source; }

// Reads the training pairs. Relative names count from the folder in which the training was started. If the pairs there
// are others, they count from the current folder.
Read read_training_pairs(const LoadedRun& run, const RunFolder& folder) {
  const std::optional<Provenance> known = read_provenance(folder);
  TrainOptions meant = run.options;
  if (known) resolve_files(meant, *known);
  const bool moved = known && name_of(training_files(meant)) != name_of(training_files(run.options));
  Read read;
  for (const TrainOptions* options : {static_cast<const TrainOptions*>(&meant), &run.options}) {
    if (options == &run.options && (!moved || read.problem.empty())) break;
    const CorpusFiles files = training_files(*options);
    for (const std::string& file : {files.tsv, files.source, files.target}) data::check_regular(data::shipped(file));
    data::Corpus corpus =
        read_corpus(files, run.options, run.options.max_length, data::TooLong::drop, data::Blank::drop);
    if (!known) return checked_by_state(std::move(corpus), run, folder, name_of(files));
    const std::string now = hash_of(corpus.pairs);
    if (now == known->training.hash) return {std::move(corpus), ""};
    if (!read.problem.empty()) continue;
    read = {{},
            fmt::format("{} has changed since this run was trained on it (its hash was {} and is now {})",
                        name_of(files), known->training.hash, now),
            false};
  }
  return read;
}

}  // namespace

std::string add_em_links(std::vector<EvaluatedPair>& pairs, const LoadedRun& run, const RunFolder& folder) {
  if (!task_of(run.options).links_words()) return "";  // EM needs the words of a source
  if (std::none_of(pairs.begin(), pairs.end(), [](const EvaluatedPair& e) { return e.pair->gold.has_value(); })) {
    return "";
  }
  Read read;
  try {
    read = read_training_pairs(run, folder);
  } catch (const std::runtime_error& error) {
    return fmt::format(
        "note: EM links for comparison are missing, because the training pairs of the run cannot be read: {}\n",
        error.what());
  }
  if (!read.usable) return fmt::format("note: {}. Therefore there are no EM links for comparison\n", read.problem);
  const data::Corpus& training = read.corpus;
  data::EmAligner aligner(training.pairs, {});
  for (std::size_t round = 0; round < aligner.rounds(); ++round) aligner.round();
  for (EvaluatedPair& e : pairs) {
    if (!e.pair->gold || data::EmAligner::too_long(*e.pair)) continue;
    const data::EmAligner::BidirectionalPosteriors both = aligner.posteriors(*e.pair);
    e.em_links = data::joint_links({}, both.forward, both.backward, e.pair->source.size(), e.pair->target.size());
  }
  return read.problem.empty()
             ? ""
             : fmt::format("note: {}. The EM links for comparison were learned from this file\n", read.problem);
}

}  // namespace softalign::apps
