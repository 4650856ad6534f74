// Converts words to the units with ids and back: the words themselves, or subwords of a SentencePiece model (Kudo 2018,
// "Subword Regularization"; Sennrich et al. 2016 for BPE), which SentencePiece calls pieces. Texts and gold links count
// words, and models count subwords. Each subword stores the word that it belongs to.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// A sentence in subwords. word[i] is the word that pieces[i] belongs to. Every word has a subword.
struct Segments {
  Tokens pieces;
  std::vector<std::size_t> word;
};

// The reverse: words that are joined from subwords.
struct Joined {
  Tokens words;
  std::vector<std::size_t> word;  // of each piece
};

enum class SubwordModel { unigram, bpe };
constexpr auto names_of(SubwordModel) {
  return std::to_array<std::pair<const char*, SubwordModel>>(
      {{"unigram", SubwordModel::unigram}, {"bpe", SubwordModel::bpe}});
}

struct SubwordOptions {
  SubwordModel model = SubwordModel::unigram;
  std::size_t pieces = 2000;  // at most so many, <unk> <s> </s> among them
};

class Segmenter {
 public:
  // Words without splitting: each word is one unit.
  Segmenter() = default;

  // A SentencePiece model that is learned from sentences. The same sentences and options give the same model. Every
  // character of the sentences is a subword. Error, with the reason, if the requested number of subwords cannot be
  // made.
  static Segmenter train(const std::vector<Tokens>& sentences, const SubwordOptions& options);

  // The file that SentencePiece's own tools write and read. load throws Error naming the file.
  static Segmenter load(const std::string& path);
  void save(const std::string& path) const;

  bool whole_words() const { return model_ == nullptr; }

  // All subwords in the model's order, without special ones; none for words without splitting. They form a vocabulary.
  Tokens pieces() const;

  // A subword at the start of a word starts with U+2581. Text is not normalised. Characters that the model does not
  // know become their own subwords, which no vocabulary contains. A U+2581 in the text itself is replaced by U+F2581
  // (private use) for SentencePiece, and join restores it.
  Segments segment(const Tokens& words) const;

  // The words of subwords that a decoder wrote. U+2581 and the first subword start a word, and <unk> is a word by
  // itself. No word is empty: a subword that is only U+2581 belongs to the word after it, or to the last word. Without
  // any other subword, it is the word U+2581.
  Joined join(const Tokens& pieces) const;

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

// A note for the user, with its line end, if the text was already split into subwords: at least one word in a hundred
// has "@@" at its end (subword-nmt) or U+2581 at its start (SentencePiece). Otherwise "".
std::string note_of_segments(const std::vector<Pair>& pairs);

}  // namespace softalign::data
