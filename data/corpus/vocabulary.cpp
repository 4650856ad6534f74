#include "data/corpus/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "autograd/random.h"
#include "data/io/error.h"
#include "data/io/files.h"
#include "data/io/unicode.h"

namespace softalign::data {
namespace {

const Tokens specials = {pad_token, unk_token, start_token, end_token};

}  // namespace

bool is_special(const std::string& word) { return std::find(specials.begin(), specials.end(), word) != specials.end(); }

WordCounts count_words(const std::vector<Pair>& pairs, Tokens Pair::*side) {
  WordCounts counts;
  for (const Pair& pair : pairs) {
    for (const std::string& word : pair.*side) ++counts[word];
  }
  return counts;
}

Vocabulary::Vocabulary(const Tokens& words) : words_(specials) {
  for (const std::string& word : words) {
    if (split_words(word) != Tokens{word} || is_special(word)) {
      throw std::invalid_argument(fmt::format("vocabulary: {} cannot be a word", in_quotes(word)));
    }
    if (!ids_.emplace(word, static_cast<Id>(words_.size())).second) {
      throw std::invalid_argument(fmt::format("vocabulary: {} is there twice", in_quotes(word)));
    }
    words_.push_back(word);
  }
}

Vocabulary Vocabulary::build(const WordCounts& counts, const VocabularyOptions& options) {
  std::vector<std::pair<std::string, std::size_t>> ranked;
  for (const auto& [word, count] : counts) {
    if (count >= options.min_count && !is_special(word)) ranked.emplace_back(word, count);
  }
  // `counts` is sorted by bytes, and a stable sort keeps this order for words with equal counts.
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  Tokens words;
  for (std::size_t i = 0; i < std::min(ranked.size(), options.max_size); ++i) words.push_back(ranked[i].first);
  return Vocabulary(words);
}

Vocabulary Vocabulary::load(const std::string& path) {
  const Tokens lines = read_lines(path);
  const auto fail = [&path](std::size_t line, const std::string& message) {
    throw Error(ErrorKind::damaged_file, fmt::format("{}:{}: {}", path, line + 1, message));
  };
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < std::max(lines.size(), specials.size()); ++i) {
    if (i < specials.size()) {
      if (i >= lines.size() || lines[i] != specials[i]) {
        fail(i, fmt::format("this line must be {}, because a vocabulary starts with the lines <pad> <unk> <s> </s>",
                            specials[i]));
      }
    } else if (lines[i].empty()) {
      fail(i, "the line is blank, but each line must have one word");
    } else if (split_words(lines[i]) != Tokens{lines[i]}) {
      fail(i, fmt::format("{} contains white space, but each line must have one word", in_quotes(lines[i])));
    }
    const auto [at, fresh] = first.emplace(lines[i], i);
    if (!fresh) fail(i, fmt::format("{} stands on line {} already", in_quotes(lines[i]), at->second + 1));
  }
  return Vocabulary(Tokens(lines.begin() + specials.size(), lines.end()));
}

void Vocabulary::save(const std::string& path) const { write_file(path, text()); }

Id Vocabulary::id(const std::string& word) const {
  const auto found = ids_.find(word);
  return found == ids_.end() ? unk_id : found->second;
}

Ids Vocabulary::ids(const Tokens& words) const {
  Ids result;
  for (const std::string& word : words) result.push_back(id(word));
  return result;
}

const std::string& Vocabulary::word(Id id) const {
  if (static_cast<std::size_t>(id) >= size()) {  // a negative id also becomes too large
    throw std::invalid_argument(fmt::format("vocabulary: id {} is outside 0 .. {}", id, size() - 1));
  }
  return words_[static_cast<std::size_t>(id)];
}

Tokens Vocabulary::words(const Ids& ids) const {
  Tokens result;
  for (const Id id : ids) result.push_back(word(id));
  return result;
}

std::string Vocabulary::hash() const { return fmt::format("{:016x}", autograd::Fnv1a().add(text()).value); }

std::string Vocabulary::text() const { return fmt::format("{}\n", fmt::join(words_, "\n")); }

}  // namespace softalign::data
