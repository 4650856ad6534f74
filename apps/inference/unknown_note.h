// What a person is told of words that the run's vocabularies do not have: the model reads <unk> in their place.
#pragma once

#include <cstddef>
#include <set>
#include <string>

#include "apps/run/run_folder.h"
#include "data/corpus/corpus.h"

namespace softalign::apps {

class UnknownNote {
 public:
  explicit UnknownNote(const Run& run) : run_(run) {}

  // Words of one sentence. With pieces a word is unknown if one of its pieces is.
  void add_source(const data::Tokens& words);
  void add_pair(const data::Pair& pair);

  // A line a side that has any, with the first eight, and what to do about text without spaces; "" for none. What was
  // added is forgotten.
  //   note: not in the vocabulary: zyzzyva, flurb
  std::string take();

 private:
  struct Side {
    data::Tokens first;
    std::set<std::string> all;
  };
  static void add(Side& side, const data::Tokens& words, const data::Segmenter& pieces, const data::Vocabulary& known);

  const Run& run_;
  Side source_, target_;
};

}  // namespace softalign::apps
