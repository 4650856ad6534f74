// Words <-> the units that have ids: the words themselves, or subwords of a SentencePiece model (Kudo 2018, "Subword
// Regularization"; Sennrich et al. 2016 for bpe), which it calls pieces. Texts and gold links count words, models count
// subwords; each subword knows the word that it belongs to.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/corpus/corpus.h"

namespace softalign::data {

// A sentence in pieces. word[i] is the word that pieces[i] belongs to; every word has a piece.
struct Segments {
  Tokens pieces;
  std::vector<std::size_t> word;
};

// The other way round: words put together from pieces.
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
  // Whole words: each word is its own and only piece.
  Segmenter() = default;

  // A SentencePiece model learnt from sentences; the same sentences and options give the same model. Every character of
  // the sentences is a piece. Error if so many pieces cannot be made from them, saying why.
  static Segmenter train(const std::vector<Tokens>& sentences, const SubwordOptions& options);

  // The file that SentencePiece's own tools write and read. load throws Error naming the file.
  static Segmenter load(const std::string& path);
  void save(const std::string& path) const;

  bool whole_words() const { return model_ == nullptr; }

  // All pieces in the model's order, without special ones; none for whole words. They make a vocabulary.
  Tokens pieces() const;

  // A piece that begins a word begins with U+2581. Text is taken as it is, nothing is normalised; characters that the
  // model has never met make pieces of their own, which no vocabulary knows. A U+2581 in the text itself is no such
  // mark: SentencePiece is given U+F2581 (private use) for it, and join puts it back.
  Segments segment(const Tokens& words) const;

  // The words of pieces that were written freely: U+2581 and the first piece begin a word; <unk> is one by itself. No
  // word is empty: a piece that is U+2581 alone belongs to the word behind it, or to the last one; with no other piece
  // it is the word U+2581.
  Joined join(const Tokens& pieces) const;

 private:
  struct Model;
  std::shared_ptr<const Model> model_;
};

// A note for the user, with its line end, if a tool has cut the text into subwords before: at least one word in a
// hundred of the lines carries the mark of a cut, "@@" at its end (subword-nmt) or U+2581 at its beginning
// (SentencePiece). Else "".
std::string note_of_segments(const std::vector<Pair>& pairs);

}  // namespace softalign::data
