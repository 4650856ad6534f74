#include "data/corpus/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "autograd/random.h"
#include "data/corpus/corpus.h"
#include "data/corpus/readers.h"
#include "data/io/error.h"
#include "data/io/fields.h"
#include "data/io/file_kind.h"
#include "data/io/files.h"

namespace softalign::data {

namespace {

using Group = std::vector<std::size_t>;  // lines, counted from 0, with the same source words

std::vector<Group> groups_of(const std::vector<std::string>& lines, const std::vector<Pair>& pairs) {
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (const Pair& pair : pairs) {
    const std::size_t line = pair.line - 1;
    const auto [place, is_new] =
        known.emplace(join_words(split_words(lines[line].substr(0, lines[line].find('\t')))), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(line);
  }
  return groups;
}

// take moves groups with at most `size` lines together out of `groups`. It takes each group that still fits.
std::vector<std::size_t> take(std::vector<Group>& groups, std::size_t size) {
  std::vector<std::size_t> taken;
  std::vector<Group> left;
  for (Group& group : groups) {
    if (taken.size() + group.size() <= size) taken.insert(taken.end(), group.begin(), group.end());
    else left.push_back(std::move(group));
  }
  groups = std::move(left);
  return taken;
}

std::vector<std::string> in_order(std::vector<std::size_t> numbers, const std::vector<std::string>& lines) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<std::string> chosen;
  for (const std::size_t i : numbers) chosen.push_back(lines[i]);
  return chosen;
}

}  // namespace

CorpusParts cut_into_parts(const std::string& path, const PartSizes& sizes, std::uint64_t seed) {
  check_regular(path);  // the file is read twice
  const std::vector<std::string> lines = read_lines(path);
  const Corpus corpus = read_tsv(path, {.source = {}, .target = {}, .blank = Blank::drop});
  const std::size_t pairs = corpus.pairs.size(), asked = sizes.valid + sizes.test;
  const std::size_t few = std::max<std::size_t>(1, pairs / 10);
  if (asked >= pairs)
    throw Error(ErrorKind::bad_data,
                fmt::format("{} has {} pair{}, so --valid {} and --test {} leave no training pairs. Use smaller parts, "
                            "for example --valid {} --test {}",
                            path, pairs, pairs == 1 ? "" : "s", sizes.valid, sizes.test, few, few));
  std::vector<Group> groups = groups_of(lines, corpus.pairs);
  CorpusParts parts;
  parts.blank = corpus.blank;
  parts.note = corpus.note;
  parts.repeated = static_cast<std::size_t>(
      std::count_if(groups.begin(), groups.end(), [](const Group& group) { return group.size() > 1; }));
  autograd::Random(seed).split("parts").shuffle(groups);
  parts.valid = in_order(take(groups, sizes.valid), lines);
  parts.test = in_order(take(groups, sizes.test), lines);
  if (parts.valid.size() < sizes.valid || parts.test.size() < sizes.test)
    throw Error(
        ErrorKind::bad_data,
        fmt::format(
            "{} has {} different sources in {} pairs, and pairs with the same source stay together. Therefore there "
            "are too few pairs for {} validation pairs, {} test pairs and some training pairs. Use smaller parts",
            path, groups_of(lines, corpus.pairs).size(), pairs, sizes.valid, sizes.test));
  std::vector<std::size_t> rest;
  for (const Group& group : groups) rest.insert(rest.end(), group.begin(), group.end());
  parts.train = in_order(rest, lines);
  return parts;
}

std::string text_of_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).append("\n");
  return text;
}

}  // namespace softalign::data
