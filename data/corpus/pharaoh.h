// These functions read and write links in the text form of the program Pharaoh: `0-0 1?2`.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "data/corpus/links.h"

namespace softalign::data {

// Returns true if a word has the form of a link: 3-4, 3?4 or 3p4.
bool is_link(std::string_view word);

// If you read links without the text of the sentences, give any_words as the number of words. The functions then allow
// every position.
inline constexpr std::size_t any_words = std::numeric_limits<std::size_t>::max() / 2;

// Reads the gold links of a pair from text such as `0-0 1?2`. A link is written source-target, with `-` for a sure link
// and `?` or `p` for a possible link. `first` is the number of the first word, because some gold files count from 1.
// Throws Error for a malformed link, a repeated link, or a link outside of source_words x target_words. The message
// starts with `where` ("FILE:LINE").
Gold parse_gold(std::string_view text, std::size_t source_words, std::size_t target_words, const std::string& where,
                std::size_t first = 0);

// IndexBase detects files whose links count words from 1, although the reader counts from 0.
class IndexBase {
 public:
  void add(const Links& links);
  void add(const Gold& gold);

  // Returns true if there are at least three links, and if word 0 of the source or word 0 of the target has no link.
  bool may_count_from_1() const;

  // If the links of the file seem to count from 1 instead of 0, returns a note that says why and what to do. Otherwise
  // returns "". In the note, `item` is the name of what the links connect, for example "word".
  std::string note(const std::string& file, const char* item = "word") const;

 private:
  std::size_t links_ = 0;
  bool source_0_ = false, target_0_ = false;
};

// format_gold returns the gold links of a pair as text, sorted by source, then by target: `0-0 1?2`. format_links
// writes all links with `-`.
std::string format_gold(const Gold& gold);
std::string format_links(const Links& links);

}  // namespace softalign::data
