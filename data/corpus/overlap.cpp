#include "data/corpus/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "autograd/random.h"
#include "data/io/commands.h"

namespace softalign::data {

namespace {

// content returns a hash of everything that the pair was read from. Different stories may have the same answer, so the
// hash includes the question and the sentences.
std::uint64_t content(const Pair& pair) {
  autograd::Fnv1a hash;
  hash.add(pair.source_line).add("\t").add(pair.target_line).add("\t").add(pair.question);
  for (const Tokens* words : {&pair.source, &pair.target, &pair.places})
    for (const std::string& word : *words) hash.add(word).add(" ");
  return hash.value;
}

}  // namespace

std::string note_of_overlap(const std::vector<Pair>& train, const std::vector<Pair>& valid) {
  std::unordered_set<std::uint64_t> known;
  for (const Pair& pair : valid) known.insert(content(pair));
  std::unordered_set<std::uint64_t> both;
  for (const Pair& pair : train)
    if (const std::uint64_t hash = content(pair); known.contains(hash)) both.insert(hash);
  const auto seen = static_cast<std::size_t>(
      std::count_if(valid.begin(), valid.end(), [&](const Pair& pair) { return both.contains(content(pair)); }));
  constexpr std::size_t part = 5;
  if (valid.empty() || part * seen < valid.size()) return "";
  const std::string which = valid.size() == 1
                                ? "the only validation pair is"
                                : fmt::format("{} of the {} validation pairs {}",
                                              seen == valid.size() ? std::string("all") : fmt::format("{}", seen),
                                              valid.size(), seen == 1 ? "is" : "are");
  return fmt::format(
      "note: {} also in the training data, so the model may know {} by heart. {} split FILE --out DIR splits a file so "
      "that its parts share no source\n",
      which, seen == 1 ? "its translation" : "their translations", command("make_corpus"));
}

}  // namespace softalign::data
