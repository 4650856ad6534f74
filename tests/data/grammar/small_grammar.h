// A complete grammar in 28 lines, and the error messages after one of its lines is replaced.
#pragma once

#include <string>
#include <vector>

#include "data/grammar/read_grammar.h"
#include "tests/data/helpers.h"

using namespace softalign;

namespace small_grammar {

using namespace data;
using testing::user_error;

// A complete grammar in 28 lines. The tests replace lines by number.
inline std::vector<std::string> lines() {
  return {
      "languages en fr",                                           // 1
      "start S",                                                   // 2
      "feature num sg pl",                                         // 3
      "feature gen m f",                                           // 4
      "vowels fr aeiouéh except hibou",                            // 5
      "before-vowel fr le l'",                                     // 6
      "contract fr de le du @contraction",                         // 7
      "reserve the dog sleeps",                                    // 8
      "category S[]",                                              // 9
      "category NP[num gen]",                                      // 10
      "table le m.sg=le f.sg=la m.pl/f.pl=les",                    // 11
      "paradigm fr +s - s",                                        // 12
      "class Noun[gen]",                                           // 13
      "  en sg pl",                                                // 14
      "  fr sg pl",                                                // 15
      "Noun[m] dog dogs = chien+s",                                // 16
      "Noun[m] *2 @animal owl owls = hibou hiboux",                // 17
      "Noun[f] potato potatoes = pomme_de_terre pommes_de_terre",  // 18
      "Noun[m] man men = homme+s",                                 // 19
      "S[] *3",                                                    // 20
      "  en NP[_ _]~1 sleeps~2",                                   // 21
      "  fr NP~1 dort~2",                                          // 22
      "S[] @of",                                                   // 23
      "  en fear~1 of~2 NP[_ _]~3 indeed?1",                       // 24
      "  fr peur~1 de~2 NP~3",                                     // 25
      "NP[num gen]",                                               // 26
      "  en the~1 Noun[gen].num~2",                                // 27
      "  fr le.gen.num~1 Noun.num~2",                              // 28
  };
}

inline std::string error_with(size_t line, const std::string& text) {
  std::vector<std::string> changed = lines();
  changed[line - 1] = text;
  return user_error([&] { parse_grammar(changed, "g"); });
}

inline std::string error_adding(const std::vector<std::string>& more) {
  std::vector<std::string> changed = lines();
  changed.insert(changed.end(), more.begin(), more.end());
  return user_error([&] { parse_grammar(changed, "g"); });
}

}  // namespace small_grammar
