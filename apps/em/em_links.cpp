#include "apps/em/em_links.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/inference/alignment_format.h"
#include "apps/terminal/output.h"
#include "apps/terminal/progress.h"
#include "autograd/stopwatch.h"
#include "data/io/error.h"
#include "data/text/subwords.h"

namespace softalign::apps {

namespace {

models::Table em_table(data::EmOptions& o) {
  return {
      {"diagonal-rounds", &o.diagonal_rounds,
       "number of EM iterations with a diagonal position prior (Dyer et al. 2013)", between(1, 1000)},
      {"jump-rounds", &o.jump_rounds,
       "number of further EM iterations with a hidden Markov model (Vogel et al. 1996); 0: none", between(0, 1000)},
      {"diagonal-p0", &o.diagonal_p0, "probability of the empty word with the diagonal prior", between(1e-6, 0.99)},
      {"jump-p0", &o.jump_p0, "probability of the empty word in the hidden Markov model", between(1e-6, 0.99)},
      {"agreement", &o.agreement,
       "agreement training: both directions learn from the links that they agree on (Liang et al. 2006)"},
      {"alpha", &o.prior.alpha, "Dirichlet prior of each translation probability; 0: maximum likelihood",
       between(0, models::many)},
      {"prefix", &o.prior.prefix,
       "pseudo-count of a translation that begins like the translations of other source words with the same prefix; 0: "
       "off",
       between(0, models::many)},
      {"prefix-letters", &o.prior.letters, "number of letters in the prefix of --prefix; 0: off", between(0, 100)},
      {"identity", &o.prior.identity,
       "pseudo-count of a translation that is spelled like the source word. The pseudo-count is smaller if some "
       "letters differ; 0: off",
       between(0, models::many)},
  };
}

}  // namespace

void declare(CommandLine& line, EmLinkOptions& o) {
  line.add("tokenizer", &o.tokenizer,
           "how text is split into words. `words`: at spaces, with punctuation and short forms (the 's of it's) split "
           "off. A file with gold links is split only at spaces and tabs; `none`: at spaces and tabs only",
           one_of({"words", "none"}));
  line.add("lowercase", &o.lowercase, "convert text to lower case (not with --tokenizer none)");
  line.add("max-length", &o.max_length,
           "learn only from pairs with at most N words per side. Pairs with more than 10 million possible links get no "
           "links",
           between(1, models::longest_sentence));
  line.group("Learning");
  line.add(em_table(o.em));
  line.group("Links");
  line.add("rule", &o.rule.kind,
           "which links to write. `agreement`: links whose probabilities (posteriors) in the two directions have a "
           "geometric mean of at least --threshold; `forward`, `backward`: the best links of one direction; "
           "`intersection`, `union`, "
           "`grow-diag-final-and`: combinations of forward and backward (Koehn et al. 2003)");
  advise_joint_rules(line, "rule");
  line.add("threshold", &o.rule.threshold, "with --rule agreement: smallest geometric mean of a link", between(0, 1));
}

void check(const CommandLine& line, const EmLinkOptions& o) {
  if (line.given("threshold") && o.rule.kind != data::JointRuleKind::agreement)
    throw UsageError(
        fmt::format("--threshold has no effect with --rule {}. Remove --threshold, or use --rule agreement",
                    autograd::name_of(o.rule.kind)));
}

data::CorpusAligner learn(const std::vector<data::Pair>& pairs, const EmLinkOptions& o) {
  const autograd::Stopwatch watch;
  data::CorpusAligner aligner(pairs, o.em, o.max_length);
  const auto blank = static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [](const data::Pair& pair) { return pair.blank; }));
  const std::size_t long_ones = pairs.size() - blank - aligner.learnt();
  if (aligner.learnt() == 0) {
    throw data::Error(data::ErrorKind::bad_data,
                      blank == 0 ? fmt::format("all {} pairs are longer than {} words, so there is nothing to learn "
                                               "from. Raise the limit with --max-length",
                                               pairs.size(), o.max_length)
                                 : fmt::format("there is no pair to learn from: {} pairs have a blank side, and {} are "
                                               "longer than {} words. --max-length raises this limit",
                                               blank, long_ones, o.max_length));
  }
  report(
      "{} pair{}{}{}. t|s: p(target | source); s|t: p(source | target)\n"
      "no word %: words that are linked to no word. lambda: sharpness of the diagonal position prior. sec.: seconds "
      "since the start\n",
      format_count(aligner.learnt()), aligner.learnt() == 1 ? "" : "s",
      long_ones == 0 ? "" : fmt::format(" ({} of more than {} words left out)", long_ones, o.max_length),
      blank == 0 ? "" : fmt::format(" ({} with a blank side left out)", blank));
  report("{:>34} {:>9} {:>9}\n", "perplexity", "no word %", "lambda");
  report("{:>5} {:8} {:>9} {:>9} {:>4} {:>4} {:>4} {:>4} {:>5}\n", "round", "prior", "t|s", "s|t", "t|s", "s|t", "t|s",
         "s|t", "sec.");
  for (std::size_t round = 1; round <= aligner.em().rounds(); ++round) {
    const auto [f, b] = aligner.em().round();
    report("{:>5} {:8} {:>9.3f} {:>9.3f} {:>4.1f} {:>4.1f} {:>4.1f} {:>4.1f} {:>5.1f}\n", round,
           f.jumps ? "jumps" : "diagonal", f.perplexity(), b.perplexity(), 100 * f.empty, 100 * b.empty, f.lambda,
           b.lambda, watch.seconds());
  }
  return aligner;
}

data::Record posterior_record(std::size_t id) {
  data::Record record;
  record.id = id;
  record.mode = data::DecodingMode::posterior;
  record.target_eos = false;
  return record;
}

}  // namespace softalign::apps
