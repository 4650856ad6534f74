#include "data/grammar/surface.h"

#include <algorithm>
#include <set>

#include "data/io/unicode.h"

namespace softalign::data {

namespace {

// Bond is a number in one use of a rule. Words with the same number in the same use are linked.
struct Bond {
  std::size_t use = 0, number = 0;
  bool sure = true;
};

struct Word {
  Spelling spelling;
  std::vector<Bond> bonds;
};

class Speller {
 public:
  explicit Speller(const Grammar& grammar) : grammar_(grammar) {}

  // Uses of rules are numbered in the order of the derivation. The numbers are therefore the same on both sides.
  void write(const Derivation& derivation, Side side, std::size_t& use, std::vector<Word>& words) {
    const std::size_t own = use++;
    std::map<std::size_t, std::size_t> phrase_use;
    for (const auto& [number, phrase] : derivation.phrases) {
      phrase_use[number] = use;
      use += uses(phrase);
    }
    const Rule& rule = grammar_.rules[derivation.rule];
    add_tags(rule.tags);
    for (const Item& item : rule.sides[side]) {
      if (item.kind == Item::Kind::phrase) {
        const std::size_t number = item.marks[0].number;
        std::size_t inner = phrase_use.at(number);
        write(derivation.phrases.at(number), side, inner, words);
        continue;
      }
      std::vector<Bond> bonds;
      for (const Mark& mark : item.marks) bonds.push_back({own, mark.number, mark.sure});
      for (const Spelling& spelling : spellings(rule, item, derivation, side)) words.push_back({spelling, bonds});
    }
  }

  // join changes words that depend on the next word: "je" + "aime" gives "j'", and then "de" + "le" gives "du".
  void join(std::vector<Word>& words, Side side) {
    const Phonology& phonology = grammar_.phonology[side];
    for (std::size_t i = 0; i < words.size(); ++i) {
      Spelling& spelling = words[i].spelling;
      const bool vowel = i + 1 < words.size() && begins_with_vowel(words[i + 1].spelling.plain, phonology);
      if (vowel && !spelling.before_vowel.empty()) spelling.plain = spelling.before_vowel;
      const auto elision = phonology.elisions.find(spelling.plain);
      if (!vowel || elision == phonology.elisions.end()) continue;
      spelling.plain = elision->second.before_vowel;
      add_tags(elision->second.tags);
    }
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      for (const Contraction& contraction : phonology.contractions) {
        if (words[i].spelling.plain != contraction.first || words[i + 1].spelling.plain != contraction.second) continue;
        words[i].spelling.plain = contraction.joined;
        words[i].bonds.insert(words[i].bonds.end(), words[i + 1].bonds.begin(), words[i + 1].bonds.end());
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        add_tags(contraction.tags);
        break;
      }
    }
  }

  const std::set<std::string>& tags() const { return tags_; }

 private:
  static std::size_t uses(const Derivation& derivation) {
    std::size_t count = 1;
    for (const auto& [number, phrase] : derivation.phrases) count += uses(phrase);
    return count;
  }

  Spellings spellings(const Rule& rule, const Item& item, const Derivation& derivation, Side side) {
    if (item.kind == Item::Kind::word) return {item.word};
    Spellings found;
    if (item.kind == Item::Kind::table) {
      found = {grammar_.tables[item.symbol].forms.at(form_name(grammar_, rule, item.form, derivation.values))};
    } else {
      const WordClass& words = grammar_.classes[item.symbol];
      const Lexeme& lexeme = words.lexemes[derivation.lexemes.at(item.marks[0].number)];
      add_tags(lexeme.tags);
      found = lexeme.forms[side][form_index(grammar_, rule, item, derivation.values, side)];
    }
    if (item.form.plain) {
      for (Spelling& spelling : found) spelling.before_vowel.clear();
    }
    return found;
  }

  static bool begins_with_vowel(const std::string& word, const Phonology& phonology) {
    const std::u32string vowels = decode_utf8(phonology.vowels);
    const std::vector<std::string>& exceptions = phonology.exceptions;
    return vowels.find(decode_utf8(word)[0]) != std::u32string::npos &&
           std::find(exceptions.begin(), exceptions.end(), word) == exceptions.end();
  }

  void add_tags(const std::vector<std::string>& tags) { tags_.insert(tags.begin(), tags.end()); }

  const Grammar& grammar_;
  std::set<std::string> tags_;
};

Tokens plain_words(const std::vector<Word>& words) {
  Tokens tokens;
  for (const Word& word : words) tokens.push_back(word.spelling.plain);
  return tokens;
}

Gold gold_links(const std::vector<Word>& source, const std::vector<Word>& target) {
  std::set<Link> sure, possible;
  for (std::size_t s = 0; s < source.size(); ++s) {
    for (std::size_t t = 0; t < target.size(); ++t) {
      for (const Bond& left : source[s].bonds) {
        for (const Bond& right : target[t].bonds) {
          if (left.use != right.use || left.number != right.number) continue;
          (left.sure && right.sure ? sure : possible).insert({s, t});
        }
      }
    }
  }
  Gold gold{{sure.begin(), sure.end()}, {}};
  std::set_difference(possible.begin(), possible.end(), sure.begin(), sure.end(), std::back_inserter(gold.possible));
  return gold;
}

}  // namespace

Pair spell_out(const Grammar& grammar, const Derivation& derivation) {
  Speller speller(grammar);
  std::array<std::vector<Word>, 2> words;
  for (const Side side : {source_side, target_side}) {
    std::size_t use = 0;
    speller.write(derivation, side, use, words[side]);
    speller.join(words[side], side);
  }
  Pair pair;
  pair.source = plain_words(words[source_side]);
  pair.target = plain_words(words[target_side]);
  pair.gold = gold_links(words[source_side], words[target_side]);
  pair.tags.assign(speller.tags().begin(), speller.tags().end());
  return pair;
}

}  // namespace softalign::data
