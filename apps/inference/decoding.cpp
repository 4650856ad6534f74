#include "apps/inference/decoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "apps/cli/command_line.h"
#include "autograd/kernels.h"
#include "data/alignment/lexicon.h"
#include "data/corpus/batches.h"
#include "data/io/error.h"

namespace softalign::apps {

void declare(CommandLine& line, models::BeamOptions& o) {
  line.group("Search");
  line.add("beam", &o.beam,
           "beam size: number of partial texts (hypotheses) that the search keeps at each step; 1: greedy search",
           between(1, 10000));
  line.add(
      "normalisation", &o.normalisation,
      "length normalisation: the search ranks hypotheses by log p / lp(length), so that long ones have a chance. "
      "`plain`: lp(length) = length^alpha; `wu`: lp(length) = ((5 + length) / 6)^alpha. --length-penalty sets alpha");
  line.add("length-penalty", &o.length_penalty,
           "alpha, the exponent of --normalisation; 0: the search ranks hypotheses by log p", between(0, 10));
  line.add("coverage-penalty", &o.coverage_penalty,
           "beta, the weight of the coverage penalty (Wu et al. 2016). The penalty lowers the score of a hypothesis "
           "that attends too little to some source words. It adds beta sum_j log min(sum_i a_ij, 1) to the score, "
           "where a_ij is the attention of target word i to source word j; 0: off",
           between(0, 10));
}

void declare(CommandLine& line, models::SamplingOptions& o) {
  o.samples = 0;
  line.group("Sampling");
  line.add_here("sample", &o.samples,
                "print N random samples from the model per line, instead of the best translation; 0: beam search",
                between(0, 1000));
  line.add_here("temperature", &o.temperature,
                "with --sample: temperature of the distribution of the next word. A value below 1 makes probable "
                "words even more probable, and a value above 1 makes all words more equal",
                between(1e-6, 1e6));
  line.add_here("top-k", &o.top_k, "with --sample: draw only from the N most probable words; 0: draw from all words",
                between(0, models::many));
  line.add_here("top-p", &o.top_p,
                "with --sample: draw only from the most probable words whose probabilities sum to X (nucleus "
                "sampling); 1: draw from all words",
                between(1e-6, 1));
}

void check_decoding(const CommandLine& line, const models::BeamOptions& search,
                    const models::SamplingOptions& sampling) {
  const bool samples = sampling.samples > 0;
  for (const char* name : {"temperature", "top-k", "top-p"})
    if (!samples && line.given(name))
      throw UsageError(fmt::format("--{} has an effect only when translate samples. Add --sample N", name));
  for (const char* name : {"beam", "n-best", "normalisation", "length-penalty", "coverage-penalty", "shortlist"})
    if (samples && line.given(name))
      throw UsageError(fmt::format(
          "--{} belongs to beam search, and --sample replaces beam search. Remove one of the two options", name));
  if (search.n_best > search.beam)
    throw UsageError("--n-best is larger than --beam. Choose a smaller --n-best or a larger --beam");
}

std::vector<std::vector<models::Hypothesis>> sample(const models::Seq2Seq& model,
                                                    const std::vector<data::EncodedPair>& sources,
                                                    const std::vector<std::size_t>& numbers,
                                                    const models::SamplingOptions& options, std::uint64_t seed) {
  const auto random = autograd::Random(seed).split("sampling");
  const std::size_t batch = std::max<std::size_t>(1, 64 / options.samples);  // sentences, which need one row per sample
  std::vector<std::vector<models::Hypothesis>> all;
  for (std::size_t begin = 0; begin < sources.size(); begin += batch) {
    data::Indices indices;
    std::vector<autograd::Random> streams;
    for (std::size_t i = begin; i < std::min(begin + batch, sources.size()); ++i) {
      indices.push_back(i);
      streams.push_back(random.split(numbers[i]));
    }
    for (auto& sampled : models::sample(model, data::make_source_batch(sources, indices), options, streams))
      all.push_back(std::move(sampled));
  }
  return all;
}

namespace {

using data::Id;
using data::Ids;
using Likely = std::map<Id, double>;  // probability per target entry

// Returns the vocabulary entries of a word: its own entry, or the entries of its subwords. Unknown entries are left
// out.
Ids entries(const std::string& word, const data::Segmenter& segmenter, const data::Vocabulary& vocabulary) {
  Ids ids = vocabulary.ids(segmenter.segment({word}).subwords);
  std::erase(ids, data::unk_id);
  return ids;
}

Ids most_probable(const Likely& likely, std::size_t count) {
  std::vector<std::pair<double, Id>> order;
  for (const auto& [id, p] : likely) order.emplace_back(-p, id);
  std::sort(order.begin(), order.end());
  Ids ids;
  for (std::size_t i = 0; i < std::min(count, order.size()); ++i) ids.push_back(order[i].second);
  return ids;
}

}  // namespace

models::Shortlist read_shortlist(const std::string& path, const LoadedRun& run, std::size_t frequent,
                                 std::size_t likely) {
  std::vector<Likely> of_entry(run.source.size());
  Likely of_none;
  bool any = false;
  for (const data::TableRow& row : data::read_table(path)) {
    const Ids targets = entries(row.target, run.target_segmenter, run.target);
    const auto add = [&](Likely& to) {
      for (const Id target : targets) to[target] += row.probability;
    };
    if (row.source.empty()) {
      add(of_none);
      continue;
    }
    for (const Id source : entries(row.source, run.source_segmenter, run.source)) {
      add(of_entry[static_cast<std::size_t>(source)]);
      any = any || !targets.empty();
    }
  }
  if (!any)
    throw data::Error(data::ErrorKind::bad_data,
                      fmt::format("{}: no line has a source word and a translation from the vocabularies of the run. "
                                  "Make the file from the run's corpus: links --data CORPUS --table FILE",
                                  path));
  Ids always = most_probable(of_none, likely);
  for (std::size_t id = 0; id < std::min(run.target.size(), data::end_id + 1 + frequent); ++id)
    always.push_back(static_cast<Id>(id));
  std::vector<Ids> translations;
  for (const Likely& of_word : of_entry) translations.push_back(most_probable(of_word, likely));
  return {std::move(always), std::move(translations)};
}

void declare(CommandLine& line, Faster& faster) {
  line.group("Speed");
  line.add_here("int8", &faster.int8,
                "int8 quantisation: round the weights to 8 bits, which makes large models faster");
  line.add_here(
      "shortlist", &faster.table,
      "TSV file of word translations, which `links --table` writes. The model then writes only frequent words and "
      "likely translations of the words of a line, which makes decoding faster (vocabulary shortlist)");
}

void prepare(Faster& faster, const LoadedRun& run) {
  if (!faster.table.empty()) {
    if (!task_of(run.options).has_source())
      throw UsageError("--shortlist needs a translation model, and --run names a language model. Remove --shortlist");
    faster.shortlist = read_shortlist(faster.table, run);
  }
  if (faster.int8 && !autograd::have_kernels)
    throw UsageError(
        "--int8 needs the optimised kernels, and this program was built without them. Remove --int8, or build again "
        "with cmake -DSOFTALIGN_KERNELS=ON");
  autograd::set_int8(faster.int8);
}

}  // namespace softalign::apps
