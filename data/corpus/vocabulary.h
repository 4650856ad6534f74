// A Vocabulary maps words to ids and back. Text files, batches and embedding tables use the same ids.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/corpus/batch.h"
#include "data/corpus/corpus.h"

namespace softalign::data {

inline constexpr const char* pad_token = "<pad>";
inline constexpr const char* unk_token = "<unk>";
inline constexpr const char* start_token = "<s>";
inline constexpr const char* end_token = "</s>";
bool is_special(const std::string& word);  // true for these four words

// WordCounts says how often each word occurs. The words are in byte order.
using WordCounts = std::map<std::string, std::size_t>;
// Returns how often each word occurs in the sources or in the targets of a corpus. For example, count_words(pairs,
// &Pair::source) counts the words of the sources.
WordCounts count_words(const std::vector<Pair>& pairs, Tokens Pair::*side);

struct VocabularyOptions {
  std::size_t min_count = 1;                                       // rarer words become <unk>
  std::size_t max_size = std::numeric_limits<std::size_t>::max();  // largest number of words, without special tokens
};

// Ids 0 to 3 are the special tokens <pad> <unk> <s> </s> (data/corpus/batch.h), and the words follow. If a word of a
// text is spelt like a special token, for example "</s>", it becomes <unk> and never the special token.
class Vocabulary {
 public:
  // `words` has the words that follow the special tokens, in the order of their ids. Throws std::invalid_argument for a
  // word that is empty, contains white space, is spelt like a special token, or occurs twice.
  explicit Vocabulary(const Tokens& words);

  // Builds a vocabulary from counts. The most frequent word comes first. Equally frequent words are in byte order.
  static Vocabulary build(const WordCounts& counts, const VocabularyOptions& options = {});

  // A vocabulary file has one word per line, and the special tokens come first. load throws Error if it cannot read the
  // file. The message names file and line.
  static Vocabulary load(const std::string& path);
  void save(const std::string& path) const;

  std::size_t size() const { return words_.size(); }  // with the special tokens
  Id id(const std::string& word) const;               // unk_id for a word that is not known
  Ids ids(const Tokens& words) const;
  const std::string& word(Id id) const;  // throws std::invalid_argument outside of 0 .. size-1
  Tokens words(const Ids& ids) const;

  // Returns the FNV-1a hash (64 bits, 16 hexadecimal digits) of the file that save writes. If two vocabularies have the
  // same hash, they give the words the same ids. A checkpoint contains the hash.
  std::string hash() const;

 private:
  std::string text() const;
  Tokens words_;
  std::unordered_map<std::string, Id> ids_;  // without special tokens; only for look-ups
};

}  // namespace softalign::data
