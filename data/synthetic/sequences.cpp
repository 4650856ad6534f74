#include "data/synthetic/sequences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "data/io/error.h"

namespace softalign::data {

namespace {

using autograd::Random;

constexpr std::size_t letters = 26, values = 26, colours = 4;
constexpr std::size_t rotated_by = 3;
// After this many attempts in a row without a new source, the program assumes that there are no further sources.
constexpr std::size_t patience = 20000;

std::string letter(std::size_t i) { return {static_cast<char>('a' + i)}; }
std::string value(std::size_t i) { return fmt::format("{}", i + 1); }

// letters_at generates n source letters. Target word t is the source letter with the number place(t).
template <class Place>
Pair letters_at(std::size_t n, Random& random, const Place& place) {
  Pair pair;
  for (std::size_t i = 0; i < n; ++i) pair.source.push_back(letter(random.below(letters)));
  pair.gold.emplace();
  for (std::size_t t = 0; t < n; ++t) {
    pair.target.push_back(pair.source[place(t)]);
    pair.gold->sure.push_back({place(t), t});
  }
  std::sort(pair.gold->sure.begin(), pair.gold->sure.end());
  return pair;
}

Pair copy(std::size_t n, Random& random) {
  return letters_at(n, random, [](std::size_t t) { return t; });
}

Pair reverse(std::size_t n, Random& random) {
  return letters_at(n, random, [n](std::size_t t) { return n - 1 - t; });
}

Pair rotate(std::size_t n, Random& random) {
  return letters_at(n, random, [n](std::size_t t) { return (t + n - rotated_by % n) % n; });
}

Pair twin(std::size_t n, Random& random) {
  const std::vector<std::size_t> used = random.different(n / 2, letters), order = random.different(n, n);
  std::vector<std::size_t> colour(n);
  for (std::size_t& c : colour) c = random.below(colours);
  Pair pair{Tokens(n), Tokens(n), Gold{}, {}};
  for (std::size_t item = 0; item < n; ++item) {  // items i and i + n/2 are twins; order has their positions
    const std::size_t other = (item + n / 2) % n;
    pair.source[order[item]] = fmt::format("{}/{}", letter(used[item % (n / 2)]), value(colour[item]));
    pair.target[order[item]] = value(colour[other]);
    pair.gold->sure.push_back({order[other], order[item]});
  }
  std::sort(pair.gold->sure.begin(), pair.gold->sure.end());
  return pair;
}

// asked returns keys, each with a value after it, and then one of the keys again.
Pair asked(const std::vector<std::size_t>& keys, Random& random) {
  Pair pair;
  for (const std::size_t key : keys) {
    pair.source.push_back(letter(key));
    pair.source.push_back(value(random.below(values)));
  }
  const std::size_t key = random.one_of(keys);
  const auto last = std::find(keys.rbegin(), keys.rend(), key);
  const std::size_t place = 2 * static_cast<std::size_t>(keys.rend() - last - 1);
  pair.source.push_back(letter(key));
  pair.target = {pair.source[place + 1]};
  pair.gold = Gold{{{place + 1, 0}}, {{place, 0}}};
  return pair;
}

Pair recall(std::size_t n, Random& random) { return asked(random.different(n / 2, letters), random); }

// rewrite uses half as many keys as pairs, so that most keys occur again.
Pair rewrite(std::size_t n, Random& random) {
  const std::vector<std::size_t> known = random.different((n / 2 + 1) / 2, letters);
  std::vector<std::size_t> keys(n / 2);
  for (std::size_t& key : keys) key = random.one_of(known);
  return asked(keys, random);
}

// induction generates p different letters, and then the first of them again.
Pair induction(std::size_t n, Random& random) {
  const std::size_t least = n / 2 + 1, most = std::min(letters, n - 1);
  const std::size_t p = least + random.below(most - least + 1), again = n - p;
  Pair pair;
  for (const std::size_t i : random.different(p, letters)) pair.source.push_back(letter(i));
  pair.target.assign(pair.source.begin() + static_cast<std::ptrdiff_t>(again), pair.source.end());
  for (std::size_t i = 0; i < again; ++i) pair.source.push_back(pair.source[i]);
  pair.gold.emplace();
  for (std::size_t t = 0; t < pair.target.size(); ++t) pair.gold->sure.push_back({again + t, t});
  return pair;
}

const SequenceTask& task_named(const std::string& name) {
  std::vector<std::string_view> known;
  for (const SequenceTask& task : sequence_tasks()) {
    if (task.name == name) return task;
    known.push_back(task.name);
  }
  throw Error(ErrorKind::bad_data, fmt::format("unknown task \"{}\"; known are {}", name, fmt::join(known, ", ")));
}

}  // namespace

const std::vector<SequenceTask>& sequence_tasks() {
  static const std::vector<SequenceTask> tasks{
      {"copy", "repeat the words", 1, 200, 1, copy},
      {"reverse", "reverse the words", 2, 200, 1, reverse},
      {"rotate", "move all words by three positions; the last words move to the front", 2, 200, 1, rotate},
      {"twin",
       "each letter occurs twice with a number (a/3), and the model writes for each letter the number of the other "
       "occurrence",
       2, 2 * letters, 2, twin},
      {"recall", "the source has keys with values and then one of the keys, and the model writes the value of this key",
       3, 2 * letters + 1, 2, recall},
      {"rewrite", "as recall, but keys occur several times, and the last value of a key counts", 5, 199, 2, rewrite},
      {"induction", "continue a text that starts to repeat itself", 3, 2 * letters - 1, 1, induction}};
  return tasks;
}

std::vector<Pair> sample_sequences(const std::string& name, const SequenceOptions& options,
                                   const std::vector<Pair>& excluded) {
  const SequenceTask& task = task_named(name);
  std::vector<std::size_t> lengths;
  for (std::size_t n = task.shortest; n <= std::min(task.longest, options.max_length); n += task.step)
    if (n >= options.min_length) lengths.push_back(n);
  if (lengths.empty())
    throw Error(ErrorKind::bad_data,
                fmt::format("{}: no source can have {} to {} words. The sources of this task have {} to {} words{}",
                            name, options.min_length, options.max_length, task.shortest, task.longest,
                            task.step > 1 ? ", and only every second length" : ""));
  std::unordered_set<std::string> sources;
  for (const Pair& pair : excluded) sources.insert(join_words(pair.source));
  Random random(options.seed);
  std::vector<Pair> pairs;
  for (std::size_t attempts = 0; pairs.size() < options.pairs; ++attempts) {
    if (attempts == patience)
      throw Error(ErrorKind::bad_data, fmt::format("{}: the program found no new source in {} attempts, and has {} of "
                                                   "{} pairs. Generate fewer or longer pairs",
                                                   name, patience, pairs.size(), options.pairs));
    Pair pair = task.draw(random.one_of(lengths), random);
    if (!sources.insert(join_words(pair.source)).second) continue;
    pairs.push_back(std::move(pair));
    attempts = 0;
  }
  return pairs;
}

}  // namespace softalign::data
