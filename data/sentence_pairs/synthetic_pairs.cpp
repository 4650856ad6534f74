#include "data/sentence_pairs/synthetic_pairs.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "data/sentence_pairs/sentence_pairs.h"

namespace softalign::data {

namespace {

using Words = std::vector<std::string>;

// Entry has a word, a more general word, and the words that contradict the word.
struct Entry {
  std::string word, general;
  Words against;
};
const std::vector<Entry> nouns{{"dog", "animal", {}},  {"cat", "animal", {}},    {"horse", "animal", {}},
                               {"cow", "animal", {}},  {"man", "person", {}},    {"woman", "person", {}},
                               {"girl", "person", {}}, {"boy", "person", {}},    {"car", "vehicle", {}},
                               {"bus", "vehicle", {}}, {"truck", "vehicle", {}}, {"train", "vehicle", {}}};
const std::vector<Entry> adjectives{{"red", "", {"blue", "green"}},
                                    {"blue", "", {"red", "black"}},
                                    {"green", "", {"red", "white"}},
                                    {"black", "", {"white", "blue"}},
                                    {"white", "", {"black", "green"}},
                                    {"old", "", {"young"}},
                                    {"young", "", {"old"}},
                                    {"big", "", {"small"}},
                                    {"small", "", {"big"}}};
const std::vector<Entry> verbs{{"runs", "moves", {"sleeps", "sits"}}, {"walks", "moves", {"sleeps", "lies"}},
                               {"jumps", "moves", {"lies", "sits"}},  {"sleeps", "rests", {"runs", "jumps"}},
                               {"sits", "rests", {"walks", "runs"}},  {"lies", "rests", {"jumps", "walks"}}};
constexpr std::size_t entailed = 0, neutral = 1, contradicted = 2;
constexpr double share_of_general = 0.3, share_left_out = 0.3, share_of_single = 0.15;

// article returns the indefinite article of a word.
std::string article(const std::string& word) {
  return std::string("aeiou").find(word.front()) == std::string::npos ? "a" : "an";
}

// Statement is "a ADJECTIVE NOUN VERB" and its position in the premise.
struct Statement {
  const Entry *adjective, *noun, *verb;
  std::size_t place;
};

class Pairs {
 public:
  explicit Pairs(autograd::Random& random) : random_(random) {}

  Entailment draw() {
    const std::size_t spoken_of = random_.uniform() < share_of_single ? 1 : 2 + random_.below(2);
    // The premise does not mention the last noun.
    const std::vector<std::size_t> kinds = random_.different(spoken_of + 1, nouns.size());
    for (std::size_t i = 0; i < spoken_of; ++i) state(nouns[kinds[i]]);
    pair_.label = random_.below(entailment_labels.size());
    const std::vector<std::size_t> used =
        random_.different(1 + random_.below(std::min<std::size_t>(2, spoken_of)), spoken_of);
    const std::size_t deciding = random_.below(used.size());
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (i > 0) add("and", std::nullopt);
      const bool decides = i == deciding;
      if (decides && pair_.label == neutral) of_nobody(nouns[kinds[spoken_of]]);
      else say_again(statements_[used[i]], decides && pair_.label == contradicted);
    }
    return std::move(pair_);
  }

 private:
  void state(const Entry& noun) {
    if (!pair_.premise.empty()) pair_.premise.emplace_back("and");
    statements_.push_back({&random_.one_of(adjectives), &noun, &random_.one_of(verbs), pair_.premise.size()});
    const Statement& s = statements_.back();
    for (const std::string& word : {article(s.adjective->word), s.adjective->word, s.noun->word, s.verb->word})
      pair_.premise.push_back(word);
  }

  void add(const std::string& word, std::optional<std::size_t> gold) {
    pair_.hypothesis.push_back(word);
    pair_.gold.push_back(gold);
  }

  void say_again(const Statement& s, bool against) {
    const bool against_adjective = against && random_.below(2) == 0, against_verb = against && !against_adjective;
    const double chance = random_.uniform();
    const bool general_verb = !against_verb && chance < share_of_general;
    const bool general_noun = !general_verb && chance < 2 * share_of_general && is_alone(*s.noun);
    const std::string noun = general_noun ? s.noun->general : s.noun->word;
    std::string adjective;  // "" if the adjective is left out
    if (against_adjective) adjective = random_.one_of(s.adjective->against);
    else if (random_.uniform() >= share_left_out) adjective = s.adjective->word;
    add(article(adjective.empty() ? noun : adjective), s.place);
    if (!adjective.empty()) add(adjective, s.place + 1);
    add(noun, s.place + 2);
    add(against_verb ? random_.one_of(s.verb->against) : general_verb ? s.verb->general : s.verb->word, s.place + 3);
  }

  void of_nobody(const Entry& noun) {
    const std::string adjective = random_.uniform() >= share_left_out ? random_.one_of(adjectives).word : "";
    add(article(adjective.empty() ? noun.word : adjective), std::nullopt);
    if (!adjective.empty()) add(adjective, std::nullopt);
    add(noun.word, std::nullopt);
    const Entry& verb = random_.one_of(verbs);
    add(random_.uniform() < share_of_general ? verb.general : verb.word, std::nullopt);
  }

  // is_alone is true if no other noun of the premise has the same general word.
  bool is_alone(const Entry& noun) const {
    return std::count_if(statements_.begin(), statements_.end(),
                         [&](const Statement& s) { return s.noun->general == noun.general; }) == 1;
  }

  autograd::Random& random_;
  Entailment pair_;
  std::vector<Statement> statements_;
};

}  // namespace

Entailment draw_entailment(autograd::Random& random) { return Pairs(random).draw(); }

std::vector<std::string> entailment_words() {
  std::set<std::string> words{"a", "an", "and"};
  for (const std::vector<Entry>* entries : {&nouns, &adjectives, &verbs})
    for (const Entry& entry : *entries) {
      words.insert(entry.word);
      if (!entry.general.empty()) words.insert(entry.general);
    }
  return {words.begin(), words.end()};
}

// The articles "a" and "an" have no links, because every noun has one.
SyntheticExample premise_and_hypothesis(autograd::Random& random) {
  const Entailment pair = draw_entailment(random);
  Links between;
  for (std::size_t j = 0; j < pair.gold.size(); ++j)
    if (pair.gold[j] && pair.hypothesis[j] != "a" && pair.hypothesis[j] != "an") between.push_back({*pair.gold[j], j});
  std::sort(between.begin(), between.end());
  const std::string line =
      format_sentence_pair(pair.premise, pair.hypothesis, std::string(entailment_labels[pair.label]), between);
  return {line, line, {}};
}

}  // namespace softalign::data
