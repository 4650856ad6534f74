#include "data/metrics/bleu.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "data/io/unicode.h"

namespace softalign::data {

namespace {

using Counts = std::unordered_map<std::string, std::size_t>;

// count_ngrams counts all n-grams of one length. Tokens contain no white space, so a space can separate them.
Counts count_ngrams(const Tokens& words, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= words.size(); ++i) ++counts[join_words({words.begin() + i, words.begin() + i + n})];
  return counts;
}

}  // namespace

void Bleu::add(const Tokens& hypothesis, const std::vector<Tokens>& references) {
  if (references.empty()) throw std::invalid_argument("Bleu::add: no reference to compare with");
  const auto distance = [&](const Tokens& reference) {
    return std::max(reference.size(), hypothesis.size()) - std::min(reference.size(), hypothesis.size());
  };
  written += hypothesis.size();
  wanted += std::min_element(references.begin(), references.end(), [&](const Tokens& a, const Tokens& b) {
              return std::pair(distance(a), a.size()) < std::pair(distance(b), b.size());
            })->size();
  for (std::size_t n = 1; n <= order; ++n) {
    Counts most;  // the largest count in a single reference
    for (const Tokens& reference : references) {
      for (const auto& [ngram, count] : count_ngrams(reference, n)) most[ngram] = std::max(most[ngram], count);
    }
    for (const auto& [ngram, count] : count_ngrams(hypothesis, n)) {
      total[n - 1] += count;
      const auto found = most.find(ngram);
      if (found != most.end()) matches[n - 1] += std::min(count, found->second);
    }
  }
}

std::array<double, Bleu::order> Bleu::precisions() const {
  std::array<double, order> p{};
  if (matches[0] == 0) return p;
  double part = 1;
  for (std::size_t n = 0; n < order && total[n] > 0; ++n) {
    if (matches[n] == 0) part /= 2;
    const double count = matches[n] == 0 ? part : static_cast<double>(matches[n]);
    p[n] = 100 * count / static_cast<double>(total[n]);
  }
  return p;
}

double Bleu::brevity_penalty() const {
  if (written >= wanted) return 1;
  return std::exp(1 - static_cast<double>(wanted) / static_cast<double>(written));  // nothing written: exp(-inf) = 0
}

double Bleu::score() const {
  double sum = 0;
  for (const double p : precisions()) sum += std::log(p);  // log 0 = -inf, and exp(-inf) = 0
  return brevity_penalty() * std::exp(sum / order);
}

namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_stop(char32_t c) { return c == '.' || c == ','; }

// is_symbol is true for all ASCII characters except letters, digits and ' , - . (for the last three, the neighbours
// decide).
bool is_symbol(char32_t c) {
  return (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') || c == '/' || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

std::u32string apart_symbols(const std::u32string& text) {
  std::u32string result;
  for (const char32_t c : text) {
    if (is_symbol(c)) result.append({U' ', c, U' '});
    else result += c;
  }
  return result;
}

// replace_pairs replaces matching pairs of characters from left to right and without overlap, as a regular expression
// does. `write` appends the replacement.
template <class Matches, class Write>
std::u32string replace_pairs(const std::u32string& text, const Matches& matches, const Write& write) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
      write(result, text[i], text[i + 1]);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

Tokens split_unicode(const std::u32string& text) {
  Tokens words;
  std::string word;
  for (const char32_t c : text + U' ') {
    if (!is_space(c)) {
      word += encode_utf8(c);
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

}  // namespace

Tokens tokenize_13a(std::string_view line) {
  std::string plain = replaced(std::string(line), "<skipped>", "");
  for (const auto& [entity, sign] : {std::pair{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}})
    plain = replaced(plain, entity, sign);
  using Text = std::u32string;
  Text text = apart_symbols(U' ' + decode_utf8(plain) + U' ');
  text = replace_pairs(
      text, [](char32_t a, char32_t b) { return !is_digit(a) && is_stop(b); },
      [](Text& to, char32_t a, char32_t b) {
        to.append({a, U' ', b, U' '});
      });
  text = replace_pairs(
      text, [](char32_t a, char32_t b) { return is_stop(a) && !is_digit(b); },
      [](Text& to, char32_t a, char32_t b) {
        to.append({U' ', a, U' ', b});
      });
  text = replace_pairs(
      text, [](char32_t a, char32_t b) { return is_digit(a) && b == U'-'; },
      [](Text& to, char32_t a, char32_t b) {
        to.append({a, U' ', b, U' '});
      });
  return split_unicode(text);
}

}  // namespace softalign::data
