// These functions convert words to subwords and back. Subwords come from a SentencePiece model (Kudo 2018, "Subword
// Regularization"; Sennrich et al. 2016 for BPE), which calls them pieces. Without such a model, each word is one unit.
// Positions in texts and gold links are positions of words, and positions in models are positions of subwords.
// Therefore each subword has the index of the word to which it belongs.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// The struct Segments is a sentence in subwords. word[i] is the word to which subwords[i] belongs. Every word has at
// least one subword.
struct Segments {
  Tokens subwords;
  std::vector<std::size_t> word;
};

// Joined has the words that are joined from subwords.
struct Joined {
  Tokens words;
  std::vector<std::size_t> word;  // the word of each subword
};

enum class SubwordModel { unigram, bpe };
constexpr auto names_of(SubwordModel) {
  return std::to_array<std::pair<const char*, SubwordModel>>(
      {{"unigram", SubwordModel::unigram}, {"bpe", SubwordModel::bpe}});
}

struct SubwordOptions {
  SubwordModel model = SubwordModel::unigram;
  std::size_t vocabulary_size = 2000;  // largest number of subwords, including <unk> <s> </s>
};

class Segmenter {
 public:
  // Creates a Segmenter without a model: each word is one unit.
  Segmenter() = default;

  // Learns a SentencePiece model from sentences. The same sentences and options give the same model. Every character of
  // the sentences becomes a subword. Throws Error, with the reason, if the requested number of subwords cannot be made.
  static Segmenter train(const std::vector<Tokens>& sentences, const SubwordOptions& options);

  // load and save use the file format of SentencePiece's own tools. load throws Error, which names the file.
  static Segmenter load(const std::string& path);
  void save(const std::string& path) const;

  bool whole_words() const { return model_ == nullptr; }

  // Returns all subwords in the model's order, without special tokens. They form a vocabulary. The result is empty if
  // words are not split.
  Tokens subwords() const;

  // Splits words into subwords. The first subword of a word starts with U+2581. The text is not normalised. A character
  // that the model does not know becomes its own subword, which no vocabulary contains. If the text itself contains
  // U+2581, SentencePiece gets U+F2581 instead, and join restores the character.
  Segments segment(const Tokens& words) const;

  // Returns the words for subwords that a decoder wrote. A word starts at the first subword and at each U+2581, and
  // <unk> is a word by itself. No word is empty: a subword that consists only of U+2581 belongs to the next word, or to
  // the last word if none follows. If there is no other subword, it becomes the word U+2581.
  Joined join(const Tokens& subwords) const;

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

// Returns a note for the user, with its line end, if the text was already split into subwords. This is the case if at
// least one word in a hundred ends with "@@" (subword-nmt) or starts with U+2581 (SentencePiece). Otherwise it returns
// "".
std::string note_of_segments(const std::vector<Pair>& pairs);

}  // namespace softalign::data
