#include "data/synthetic/repeated_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/corpus/corpus.h"
#include "data/synthetic/repeats.h"

namespace softalign::data {

// Six statements by four names, one of whom at least comes again: "TEXT\tTEXT\tLINKS", from the thing that a name said
// last to where it says it again.
SyntheticExample text_that_repeats(autograd::Random& random) {
  constexpr size_t statements = 6, names = 4;
  Repeats drawn;
  while (drawn.returns.empty()) drawn = draw_repeats(statements, names, random);
  Gold gold;
  for (const Repeats::Return& back : drawn.returns)
    gold.sure.push_back({back.statement * words_of_a_statement + 2, back.likes + 1});
  std::sort(gold.sure.begin(), gold.sure.end());
  const std::string text = join_words(drawn.text);
  return {fmt::format("{0}\t{0}\t{1}", text, format_gold(gold)), text, {}};
}

}  // namespace softalign::data
