// The Pharaoh text form of links: `0-0 1?2`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/corpus/links.h"

namespace softalign::data {

// Whether a word has the form of a link: 3-4, 3?4 or 3p4.
bool is_link(std::string_view word);

// Reads Pharaoh text `0-0 1?2`: source-target, `-` sure, `?` or `p` possible. `where` ("FILE:LINE") starts the message
// of every Error: a malformed link, one outside source_words x target_words, one given twice. The text
// counts words from `first`; some gold sets start at 1.
Gold parse_gold(std::string_view text, std::size_t source_words, std::size_t target_words, const std::string& where,
                std::size_t first = 0);

// Watches the links of one file for a sign that the file counts words from 1 although it is read as counting from 0.
class IndexBase {
 public:
  void add(const Links& links);
  void add(const Gold& gold);

  // There are at least three links, and none of them names word 0 of the source, or none names word 0 of the target.
  bool may_count_from_1() const;

  // A note with the reason and the remedy; "" if there is no such sign. `item` names what is counted.
  std::string note(const std::string& file, const char* item = "word") const;

 private:
  std::size_t links_ = 0;
  bool source_0_ = false, target_0_ = false;
};

// Pharaoh text, all links in order of source, then target: `0-0 1?2`. Plain links are all written with `-`.
std::string format_gold(const Gold& gold);
std::string format_links(const Links& links);

}  // namespace softalign::data
