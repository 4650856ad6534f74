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
bool is_special(const std::string& word);  // whether it is one of these four

// WordCounts says how often each word occurs, in the order of bytes.
using WordCounts = std::map<std::string, std::size_t>;
// Returns the counts of one side of a corpus: count_words(pairs, &Pair::source).
WordCounts count_words(const std::vector<Pair>& pairs, Tokens Pair::*side);

struct VocabularyOptions {
  std::size_t min_count = 1;                                       // rarer words become <unk>
  std::size_t max_size = std::numeric_limits<std::size_t>::max();  // the most frequent words kept, specials not counted
};

// Ids 0-3 are <pad> <unk> <s> </s> (data/corpus/batch.h), and the words follow. A word of a text that is spelt like a
// special token ("</s>") is ordinary text: it becomes <unk>, never the special token.
class Vocabulary {
 public:
  // `words` has the words after the special tokens, in their order. Throws std::invalid_argument for a word that is
  // empty, contains white space, is spelt like a special token, or occurs twice.
  explicit Vocabulary(const Tokens& words);

  // Orders words by falling frequency. Equally frequent words are in the order of bytes.
  static Vocabulary build(const WordCounts& counts, const VocabularyOptions& options = {});

  // A vocabulary file has one token per line, with the special tokens first. load throws Error. The message names file
  // and line.
  static Vocabulary load(const std::string& path);
  void save(const std::string& path) const;

  std::size_t size() const { return words_.size(); }  // specials included
  Id id(const std::string& word) const;               // unk_id for a word that is not known
  Ids ids(const Tokens& words) const;
  const std::string& word(Id id) const;  // std::invalid_argument outside 0 .. size-1
  Tokens words(const Ids& ids) const;

  // Returns the FNV-1a hash (64 bits, 16 hexadecimal digits) of the file that save writes. Two vocabularies give words
  // the same ids if their hashes are equal. A checkpoint contains the hash.
  std::string hash() const;

 private:
  std::string text() const;
  Tokens words_;
  std::unordered_map<std::string, Id> ids_;  // without special tokens; only for look-ups
};

}  // namespace softalign::data
