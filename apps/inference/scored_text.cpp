#include "apps/inference/scored_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/run/run_text.h"
#include "data/corpus/vocabulary.h"
#include "data/io/unicode.h"
#include "data/metrics/bleu.h"
#include "data/text/characters.h"
#include "data/text/tokenizer.h"

namespace softalign::apps {
namespace {

constexpr data::TokenizerOptions standard{.scheme = data::Tokenization::characters, .lowercase = true};

bool has_unspaced(const data::Tokens& words) {
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    const std::u32string points = data::decode_utf8(word);
    return std::any_of(points.begin(), points.end(), data::is_unspaced);
  });
}

// Whether the run's words are what the standard rule would make of them.
bool is_standard(const Run& run, const data::Tokens& words) {
  if (is_answered(run.options)) return true;  // one word, whatever stands in it
  if (!run.options.lowercase) return false;
  return run.options.tokenizer == "characters" || (run.options.tokenizer == "words" && !has_unspaced(words));
}

ScoredText of_words(data::Tokens words) {
  std::string text = data::join_words(words);
  return {std::move(words), std::move(text)};
}

}  // namespace

ScoredText scored_translation(const Run& run, const data::Tokens& words, const std::string& rule) {
  if (rule == mteval_13a) {
    const std::string sentence = detokenize(run, words);
    return {data::tokenize_13a(sentence), sentence};
  }
  if (is_standard(run, words)) return of_words(words);
  data::Tokens all, part;
  const auto add_part = [&] {
    for (std::string& word : data::tokenize(detokenize(run, part), standard)) all.push_back(std::move(word));
    part.clear();
  };
  for (const std::string& word : words) {  // an unknown word stays one word
    if (word != data::unk_token) {
      part.push_back(word);
      continue;
    }
    add_part();
    all.push_back(word);
  }
  add_part();
  return of_words(std::move(all));
}

ScoredText scored_reference(const Run& run, const data::Tokens& words, const std::string& line,
                            const std::string& rule) {
  if (rule == mteval_13a) {
    const std::string& text = line.empty() ? detokenize(run, words) : line;
    return {data::tokenize_13a(text), text};
  }
  if (is_standard(run, words)) return of_words(words);
  return of_words(data::tokenize(line.empty() ? data::join_words(words) : line, standard));
}

std::string bleu_signature(const std::string& rule, std::size_t references) {
  return fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:exp",
                     references > 0 ? fmt::format("{}", references) : "var", rule == mteval_13a ? "mixed" : "lc", rule);
}

}  // namespace softalign::apps
