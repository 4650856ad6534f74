// This file reads and writes links in the Pharaoh text form: `0-0 1?2`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/corpus/links.h"

namespace softalign::data {

// Returns whether a word has the form of a link: 3-4, 3?4 or 3p4.
bool is_link(std::string_view word);

// Reads Pharaoh text such as `0-0 1?2`: source-target, with `-` for sure and `?` or `p` for possible links. The text
// counts words from `first`; some gold sets start at 1. Throws Error for a malformed link, a link outside source_words
// x target_words, or a repeated link. Each message starts with `where` ("FILE:LINE").
Gold parse_gold(std::string_view text, std::size_t source_words, std::size_t target_words, const std::string& where,
                std::size_t first = 0);

// IndexBase watches the links of one file for a sign that the file counts words from 1, although the reader counts from
// 0.
class IndexBase {
 public:
  void add(const Links& links);
  void add(const Gold& gold);

  // Returns true if there are at least three links, and none of them names word 0 of the source, or none names word 0
  // of the target.
  bool may_count_from_1() const;

  // Returns a note with the reason and the remedy, or "" if there is no such sign. `item` names what is counted.
  std::string note(const std::string& file, const char* item = "word") const;

 private:
  std::size_t links_ = 0;
  bool source_0_ = false, target_0_ = false;
};

// Returns Pharaoh text with all links in order of source, then target: `0-0 1?2`. If the links are plain, it writes all
// with `-`.
std::string format_gold(const Gold& gold);
std::string format_links(const Links& links);

}  // namespace softalign::data
