// Word alignments: gold links and their Pharaoh text form, links read off an attention matrix, and AER.
// Words are counted from 0 and never include </s>.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace data {

// Source word `source` and target word `target` translate each other. Links sort by source, then target.
struct Link {
  size_t source = 0, target = 0;
  auto operator<=>(const Link&) const = default;
};
using Links = std::vector<Link>;

// The gold standard of one pair: links every annotator agrees on (S), and links that are also acceptable. The P of
// Och & Ney (2003) is the union of both; here `possible` excludes `sure`. Both are sorted, without duplicates.
struct Gold {
  Links sure, possible;
  bool operator==(const Gold&) const = default;
};

// Reads Pharaoh text `0-0 1?2`: source-target, `-` sure, `?` or `p` possible. `where` ("FILE:LINE") starts the message
// of every std::runtime_error: a malformed link, one outside source_words x target_words, one given twice. The text
// counts words from `first`; some gold sets start at 1.
Gold parse_gold(std::string_view text, size_t source_words, size_t target_words, const std::string& where,
                size_t first = 0);

// Pharaoh text, all links in order of source, then target: `0-0 1?2`. Plain links are all written with `-`.
std::string format_gold(const Gold& gold);
std::string format_links(const Links& links);

// Attention weights of one pair, matrix[t][s]: one row per target step, one column per source position.
using Matrix = std::vector<std::vector<float>>;

// One link per target word: word t is linked to the source word with the largest weight in row t + shift. There is no
// link if that largest weight stands in the column of the source's </s>, or if the matrix ends before that row. Of
// equal weights the first counts.
//   shift 0: a step's weights belong to the word that it writes (the last row, of </s>, is not used).
//   shift 1: they belong to the word that it reads, which is the word written a step earlier (row 0, which reads <s>,
//            is not used, the last row belongs to the last word).
// The matrix has target_words or target_words + 1 rows (with </s>) of source_words or source_words + 1 columns (with
// </s>); anything else is std::invalid_argument.
Links argmax_links(const Matrix& matrix, size_t source_words, size_t target_words, size_t shift = 0);

// The links to target words other than those whose gold links are all possible (the words of fixed expressions), so
// that AER can also be had without fixed expressions.
Links outside_fixed_expressions(const Links& links, const Gold& gold);

// Alignment error rate, precision and recall (Och & Ney 2003, "A Systematic Comparison of Various Statistical Alignment
// Models", section 5), pooled over all pairs added: counts are summed first, never a mean over sentences.
// A: links found, S: sure, P: sure and possible.
struct AlignmentScore {
  size_t found = 0;           // |A|, each link of a pair once
  size_t sure = 0;            // |S|
  size_t found_sure = 0;      // |A n S|
  size_t found_possible = 0;  // |A n P|

  void add(const Links& links, const Gold& gold);
  // AER = 1 - (|A n S| + |A n P|) / (|A| + |S|), in 0 .. 1; 0 where neither side has a link.
  double aer() const;
  // precision = |A n P| / |A|; 1 where nothing was found, hence nothing falsely.
  double precision() const;
  // recall = |A n S| / |S|; 1 where nothing was to be found.
  double recall() const;
};

}  // namespace data
