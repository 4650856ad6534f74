// The texts of `reproduce circuits` have the properties that the roles of their words promise.
#include "apps/language_models/circuits.h"

#include <map>

#include "tests/catch.h"

using namespace softalign;

namespace {

using apps::CircuitTexts;
using apps::Role;
using autograd::Id;
using autograd::Random;

}  // namespace

TEST_CASE("circuits: every word has one role, and the roles cover the vocabulary") {
  CHECK(CircuitTexts::words_known() == 72);
  Id id = 0;
  for (const Role role :
       {Role::cue, Role::pivot, Role::result, Role::lead, Role::follower, Role::first_name, Role::last_name})
    for (std::size_t i = 0; i < CircuitTexts::count(role); ++i, ++id) {
      CHECK(CircuitTexts::word(role, i) == id);
      CHECK(CircuitTexts::role(id) == role);
    }
  CHECK(static_cast<std::size_t>(id) == CircuitTexts::words_known());
}

TEST_CASE("circuits: followers, results and last names match their roles, and gold determines them") {
  constexpr std::size_t n = 40, B = 60;
  Random random(4);
  const CircuitTexts texts(n, B, random);
  std::map<bool, double> followers;
  for (std::size_t b = 0; b < B; ++b) {
    std::map<Id, Id> last_names;  // last name by first name, for the first names met so far
    std::map<Id, Id> said_at;
    Id cue = -1, cue_at = -1;
    for (std::size_t t = 0; t < n; ++t) {
      const Id word = texts.words[t * B + b], next = texts.next[t * B + b], gold = texts.gold[t * B + b];
      if (t + 1 < n) CHECK(next == texts.words[(t + 1) * B + b]);
      const Role role = CircuitTexts::role(word);
      if (role == Role::cue) {
        CHECK(cue == -1);  // each text has one cue
        cue = word, cue_at = static_cast<Id>(t);
      }
      if (role == Role::lead) {
        const Id i = word - CircuitTexts::word(Role::lead, 0), j = next - CircuitTexts::word(Role::follower, 0);
        REQUIRE((j == i || j == (i + 1) % 8));
        ++followers[j == i];
      }
      if (role == Role::pivot) {
        REQUIRE(cue >= 0);
        CHECK(next == CircuitTexts::word(Role::result, static_cast<std::size_t>(cue * 4 + word - 4)));
        CHECK(gold == cue_at);
      } else if (role == Role::first_name) {
        CHECK(CircuitTexts::role(next) == Role::last_name);
        CHECK(last_names.emplace(word, next).first->second == next);
        CHECK(gold == (said_at.count(word) > 0 ? said_at[word] : -1));
        said_at[word] = static_cast<Id>(t) + 1;
      } else {
        CHECK(gold == -1);
      }
    }
    CHECK(last_names.size() <= CircuitTexts::people);
  }
  const double share = followers[true] / (followers[true] + followers[false]);
  CHECK(share == Approx(CircuitTexts::often).margin(0.06));
  Random again(4), other(5);
  CHECK(CircuitTexts(n, B, again).words == texts.words);
  CHECK(CircuitTexts(n, B, other).words != texts.words);
}
