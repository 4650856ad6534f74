// This file handles words that are not in the vocabularies of a run. The model reads the token <unk> in place of such a
// word, and it may write <unk>. A note tells the user about such words. The options --replace-unknown and --lexicon
// replace <unk> in translations.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "apps/cli/common_options.h"
#include "apps/run/run_folder.h"
#include "data/alignment/lexicon.h"
#include "data/alignment/record.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

struct UnknownWords {
  bool replace = false;
  std::string lexicon_path;
  data::Lexicon lexicon = {};
};
void declare(CommandLine& line, UnknownWords& unknown);
// Reads the lexicon, if the user gives one. Throws UsageError for a lexicon without --replace-unknown.
void prepare(UnknownWords& unknown);

// Replaces <unk> in the record of a translation, if the user requests it (data/alignment/lexicon.h). Throws data::Error
// if the model has no attention.
void replace_unknown(data::Record& record, const UnknownWords& unknown);

// Returns true if the vocabulary lacks the word. With subwords, a word is unknown if one of its subwords is.
bool is_unknown(const std::string& word, const data::Segmenter& segmenter, const data::Vocabulary& known);

// Returns up to three source words of the vocabulary that are similar to a word, the most similar first. Returns none
// for a run with subwords.
data::Tokens similar_words(const LoadedRun& run, const std::string& word);

// SwappedColumns finds out whether source and target of a corpus are swapped. If so, more than 40% of the source words
// are only in the target vocabulary, and more than 40% of the target words are only in the source vocabulary. Subwords
// cannot show this, so a run with subwords gets no such note.
class SwappedColumns {
 public:
  explicit SwappedColumns(const LoadedRun& run) : run_(&run) {}
  void add(const data::Tokens& source, const data::Tokens& target);
  bool found() const;

 private:
  const LoadedRun* run_;
  std::size_t source_words_ = 0, target_words_ = 0;              // all words of each side
  std::size_t sources_of_targets_ = 0, targets_of_sources_ = 0;  // words that only the vocabulary of the other side has
};

// Returns the command that swaps the two columns of a file, in a line of its own. If the name is "", the command has
// the word FILE in its place.
std::string swapping_command(const std::string& file);

// UnknownNote collects unknown words, and writes the notes about them.
class UnknownNote {
 public:
  explicit UnknownNote(const LoadedRun& run) : run_(run), swapped_(run) {}

  // Adds the words of one sentence.
  void add_source(const data::Tokens& words);
  void add_pair(const data::Pair& pair);

  // Returns a note for each side (source or target) that has unknown words, and forgets these words, so the next call
  // does not report them again. The note names the first eight of them. More notes follow if the text has no spaces or
  // if its columns are swapped. Returns "" if there are no notes. For example:
  //   note: these words are not in the vocabulary: zyzzyva, flurb
  std::string take();
  // Returns a note for each of the first eight unknown words of a source that is translated, and a note with the number
  // of the other ones. The note on a word says which known words are similar. For example:
  //   note: "lvoe" is not in the vocabulary, so it cannot be translated correctly; did you mean love?
  std::string take_of_translation();

 private:
  struct Side {
    data::Tokens first;
    std::set<std::string> all;
  };
  static void add(Side& side, const data::Tokens& words, const data::Segmenter& segmenter,
                  const data::Vocabulary& known);
  std::string note_of_text_without_spaces() const;

  const LoadedRun& run_;
  Side source_, target_;
  SwappedColumns swapped_;
};

}  // namespace softalign::apps
