#include "data/alignment/word_level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "data/io/error.h"
#include "data/io/unicode.h"

namespace softalign::data {

namespace {

enum class SideName { source, target };

const char* name_of(SideName side) { return side == SideName::source ? "source" : "target"; }

// words_of returns the word of each position. If </s> follows the subwords, it is a word of its own.
std::vector<std::size_t> words_of(std::vector<std::size_t> word, std::size_t positions, SideName side) {
  const std::size_t words = word.empty() ? 0 : word.back() + 1;
  if (positions == word.size() + 1) word.push_back(words);
  if (positions != word.size()) {
    throw std::invalid_argument(
        fmt::format("merge_subwords: {} {} positions for {} subwords", positions, name_of(side), word.size()));
  }
  return word;
}

bool attends(const std::vector<float>& row) {
  return std::any_of(row.begin(), row.end(), [](float weight) { return weight > 0; });
}

// A sum of thousands of floats differs from 1 because of rounding. The rows of a record must sum to 1.
void round_off(std::vector<float>& row) {
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  if (sum <= 0 || std::abs(sum - 1) < 5e-6) return;
  for (float& weight : row) weight = static_cast<float>(weight / sum);
}

Matrix merged_matrix(const Matrix& matrix, const std::vector<std::size_t>& rows,
                     const std::vector<std::size_t>& columns) {
  Matrix merged(rows.back() + 1, std::vector<float>(columns.empty() ? 0 : columns.back() + 1));
  std::vector<float> attending(merged.size());  // per word, the number of its subwords that have a weight above 0
  for (std::size_t t = 0; t < rows.size(); ++t) attending[rows[t]] += attends(matrix[t]) ? 1 : 0;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (!attends(matrix[t])) continue;
    for (std::size_t s = 0; s < columns.size(); ++s)
      merged[rows[t]][columns[s]] += matrix[t].at(s) / attending[rows[t]];
  }
  for (std::vector<float>& row : merged) round_off(row);
  return merged;
}

// merge_decoder_self merges the decoder's self-attention. Its columns are the tokens that the decoder has read: <s>,
// and then the previous subwords. If </s> has no row, the attention of the last word to its own first subwords is in
// the last column.
Matrix merge_decoder_self(const Matrix& matrix, const std::vector<std::size_t>& target) {
  if (matrix.empty()) return {};
  const std::vector<std::size_t> rows = words_of(target, matrix.size(), SideName::target);
  std::vector<std::size_t> columns{0};
  for (std::size_t t = 0; t + 1 < rows.size(); ++t) columns.push_back(std::min(rows[t] + 1, rows.back()));
  if (matrix.front().size() != columns.size()) {
    throw std::invalid_argument(
        fmt::format("merge_subwords: {} columns of self-attention for {} rows", matrix.front().size(), columns.size()));
  }
  return merged_matrix(matrix, rows, columns);
}

// mean_of_subwords returns, for each word, the mean gate of its subwords.
std::vector<float> mean_of_subwords(const std::vector<float>& gate, const std::vector<std::size_t>& target) {
  if (gate.empty()) return {};
  const std::vector<std::size_t> words = words_of(target, gate.size(), SideName::target);
  std::vector<float> means(words.back() + 1), subwords(means.size());
  for (const std::size_t word : words) ++subwords[word];
  for (std::size_t t = 0; t < words.size(); ++t) means[words[t]] += gate[t] / subwords[words[t]];
  return means;
}

}  // namespace

Matrix merge_subwords(const Matrix& matrix, const std::vector<std::size_t>& source,
                      const std::vector<std::size_t>& target) {
  if (matrix.empty()) return {};
  const std::vector<std::size_t> rows = words_of(target, matrix.size(), SideName::target);
  const std::vector<std::size_t> columns = words_of(source, matrix.front().size(), SideName::source);
  return merged_matrix(matrix, rows, columns);
}

AttentionWeights merge_subwords(const AttentionWeights& weights, const std::vector<std::size_t>& source,
                                const std::vector<std::size_t>& target) {
  AttentionWeights merged = weights;
  merged.matrix = merge_subwords(weights.matrix, source, target);
  merged.scores.clear();
  merged.norms.reset();
  merged.gate = mean_of_subwords(weights.gate, target);
  for (Head& head : merged.heads) {
    const bool of_source = head.kind == HeadKind::encoder_self, of_target = head.kind == HeadKind::self;
    head.scores.clear();
    head.matrix = head.kind == HeadKind::decoder_self
                      ? merge_decoder_self(head.matrix, target)
                      : merge_subwords(head.matrix, of_target ? target : source, of_source ? source : target);
  }
  return merged;
}

std::vector<float> merge_log_prob(const std::vector<float>& log_prob, const std::vector<std::size_t>& target) {
  if (log_prob.empty()) return {};
  const std::vector<std::size_t> words = words_of(target, log_prob.size(), SideName::target);
  std::vector<float> merged(words.back() + 1);
  for (std::size_t t = 0; t < words.size(); ++t) merged[words[t]] += log_prob[t];
  return merged;
}

Record merge_subwords(const Record& record, const Joined& source, const Joined& target) {
  Record merged = record;
  merged.source = source.words;
  merged.target = target.words;
  merged.weights = merge_subwords(record.weights, source.word, target.word);
  merged.logprob = merge_log_prob(record.logprob, target.word);
  if (!merged.weights.matrix.empty()) complete(merged);
  return merged;
}

Links expand_to_subwords(const Links& links, const std::vector<std::size_t>& source,
                         const std::vector<std::size_t>& target) {
  Links subwords;
  for (const Link& link : links) {
    for (std::size_t s = 0; s < source.size(); ++s) {
      for (std::size_t t = 0; t < target.size(); ++t) {
        if (source[s] == link.source && target[t] == link.target) subwords.push_back({s, t});
      }
    }
  }
  std::sort(subwords.begin(), subwords.end());
  return subwords;
}

Gold expand_to_subwords(const Gold& gold, const std::vector<std::size_t>& source,
                        const std::vector<std::size_t>& target) {
  return {expand_to_subwords(gold.sure, source, target), expand_to_subwords(gold.possible, source, target)};
}

namespace {

struct Side {
  Tokens words;
  std::vector<std::size_t> word;  // the word of each token, in increasing order
  std::optional<Original> original;
  bool tokens_are_words = false;

  // dense numbers the words that have a token, and returns the number of the word of each token.
  std::vector<std::size_t> dense() const {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < word.size(); ++i)
      numbers.push_back(i == 0 ? 0 : numbers.back() + (word[i] != word[i - 1] ? 1 : 0));
    return numbers;
  }
  // places returns the position of each word that has a token, and then the position of </s>.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> kept = word;
    kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
    kept.push_back(words.size());
    return kept;
  }
  bool has_all() const { return places().size() == words.size() + 1; }
};

[[noreturn]] void refuse(const Record& record, const std::string& message) {
  throw Error(ErrorKind::bad_data, fmt::format("sentence {}: {}", record.id + 1, message));
}

Side as_it_is(const Tokens& tokens, const std::optional<Original>& original) {
  Side side{tokens, std::vector<std::size_t>(tokens.size()), original, true};
  std::iota(side.word.begin(), side.word.end(), 0);
  return side;
}

// are_its_words is true if the tokens are the words of the line and have the same positions. This is the usual case.
bool are_its_words(const Tokens& tokens, const Original& original) {
  const std::string& line = original.line;
  std::size_t words = 0, points = 0;  // `points` counts code points, as spans do
  for (std::size_t byte = 0; byte < line.size();) {
    const std::size_t begin = byte, first = points;
    for (; byte < line.size() && !parts_words(static_cast<unsigned char>(line[byte])); ++byte)
      points += (line[byte] & 0xC0) != 0x80 ? 1 : 0;
    if (byte == begin) {
      ++byte, ++points;
      continue;
    }
    if (words == tokens.size() || original.spans[words].begin != first || original.spans[words].end != points ||
        line.compare(begin, byte - begin, tokens[words]) != 0)
      return false;
    ++words;
  }
  return words == tokens.size();
}

Side side_of(const Record& record, SideName name, NoLine no_line) {
  const bool source = name == SideName::source;
  const Tokens& tokens = source ? record.source : record.target;
  const std::optional<Original>& original = source ? record.source_original : record.target_original;
  if (source && record.source_kind != SourceKind::words) return as_it_is(tokens, original);
  if (!original && (tokens.empty() || no_line == NoLine::tokens_are_words)) return as_it_is(tokens, original);
  if (!original)
    refuse(record,
           fmt::format(
               "the record does not contain the positions of its words in the original line. Records that align and "
               "translate make from lines of text contain them. Add --over tokens, so that links count tokens"));
  const bool placed = original->spans.size() == tokens.size();
  if (placed && are_its_words(tokens, *original)) return as_it_is(tokens, original);
  Side side;
  Spans places;
  for (const PlacedToken& token : place_tokens(original->line, {Tokenization::none})) {
    side.words.push_back(token.text);
    places.push_back(token.span());
  }
  if (!placed) {
    if (side.words == tokens) return as_it_is(tokens, Original{original->line, places});
    refuse(record,
           fmt::format("the record contains its {0} line, but not the positions of its words ({0}_spans), so links "
                       "cannot count the words of the line. Add --over tokens, so that links count tokens",
                       name_of(name)));
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Span& span = original->spans[i];
    const auto after = std::upper_bound(places.begin(), places.end(), span.begin,
                                        [](std::size_t at, const Span& place) { return at < place.begin; });
    // `word` is very large if the token is before all words.
    const std::size_t word = static_cast<std::size_t>(after - places.begin()) - 1;
    if (word >= places.size() || span.begin >= places[word].end || span.end > places[word].end)
      refuse(record, fmt::format("{} token {} is at [{},{}) of its line, which is not inside a single word of the "
                                 "line. Add --over tokens, so that links count tokens",
                                 name_of(name), i, span.begin, span.end));
    side.word.push_back(word);
  }
  side.original = Original{original->line, places};
  return side;
}

Links carried_over(const Links& links, const Side& source, const Side& target) {
  Links words;
  for (const Link& link : links) words.push_back({source.word.at(link.source), target.word.at(link.target)});
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

std::vector<std::size_t> carried_over(const std::vector<std::size_t>& tokens, const Side& side) {
  std::vector<std::size_t> words;
  for (const std::size_t token : tokens) words.push_back(side.word.at(token));
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// spread_columns moves each column to the position of its word. The columns of words without tokens are 0.
void spread_columns(Matrix& matrix, const Side& side) {
  const std::vector<std::size_t> places = side.places();
  for (auto& row : matrix) {
    const bool with_end = row.size() == places.size();
    std::vector<float> wide(side.words.size() + with_end);
    for (std::size_t s = 0; s < row.size(); ++s) wide.at(places[s]) = row[s];
    row = std::move(wide);
  }
}

void spread_rows(Matrix& matrix, const Side& side, std::size_t columns) {
  const std::vector<std::size_t> places = side.places();
  const bool with_end = matrix.size() == places.size();
  Matrix high(side.words.size() + with_end, std::vector<float>(columns));
  for (std::size_t t = 0; t < matrix.size(); ++t) high.at(places[t]) = std::move(matrix[t]);
  matrix = std::move(high);
}

// over_words returns the weights over words. If tokens are words on both sides, it moves the weights out of the record.
AttentionWeights over_words(Record& record, const Side& source, const Side& target) {
  if (record.attends == Attends::input || !target.has_all()) return {};
  if (source.tokens_are_words && target.tokens_are_words) return std::move(record.weights);
  AttentionWeights words = merge_subwords(record.weights, source.dense(), target.dense());
  if (source.has_all()) return words;
  spread_columns(words.matrix, source);
  for (Head& head : words.heads) {
    if (!attends_to_source(head) && head.kind != HeadKind::encoder_self) continue;
    spread_columns(head.matrix, source);
    if (head.kind == HeadKind::encoder_self && !head.matrix.empty())
      spread_rows(head.matrix, source, head.matrix.front().size());
  }
  return words;
}

}  // namespace

std::optional<Original> placed_in(const std::string& line, const Tokens& words, const TokenizerOptions& rule) {
  if (line.empty()) return std::nullopt;
  const std::vector<PlacedToken> placed = place_tokens(line, rule);
  const bool same = std::equal(placed.begin(), placed.end(), words.begin(), words.end(),
                               [](const PlacedToken& token, const std::string& word) { return token.text == word; });
  if (!same) return std::nullopt;
  Original result{line, {}};
  for (const PlacedToken& token : placed) result.spans.push_back(token.span());
  return result;
}

Record over_original_words(Record record, NoLine no_line) {
  Side source = side_of(record, SideName::source, no_line), target = side_of(record, SideName::target, no_line);
  record.weights = over_words(record, source, target);
  record.links = carried_over(record.links, source, target);
  if (record.gold) {
    const Links possible = carried_over(record.gold->possible, source, target);
    record.gold = Gold{carried_over(record.gold->sure, source, target), {}};
    std::set_difference(possible.begin(), possible.end(), record.gold->sure.begin(), record.gold->sure.end(),
                        std::back_inserter(record.gold->possible));
  }
  if (record.unknown)
    record.unknown =
        Unknown{carried_over(record.unknown->source, source), carried_over(record.unknown->target, target)};
  if (!source.tokens_are_words || !target.tokens_are_words) {
    record.entropy.clear();
    for (const auto& row : record.weights.matrix) record.entropy.push_back(entropy(row));
    record.logprob = target.has_all() ? merge_log_prob(record.logprob, target.dense()) : std::vector<float>{};
  }
  record.source = std::move(source.words);
  record.target = std::move(target.words);
  record.source_original = std::move(source.original);
  record.target_original = std::move(target.original);
  record.intervention.reset();  // it counts steps of tokens, not of words
  return record;
}

}  // namespace softalign::data
