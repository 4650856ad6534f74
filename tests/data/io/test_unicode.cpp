#include <string>

#include "data/io/unicode.h"
#include "tests/catch.h"

using namespace softalign;

TEST_CASE("quoted text is short and cannot send commands to a terminal") {
  CHECK(data::in_quotes("je t'aime") == "\"je t'aime\"");
  CHECK(data::in_quotes("") == "\"\"");
  CHECK(data::in_quotes("'ve") == "\"'ve\"");
  CHECK(data::in_quotes("\"ve") == "“\"ve”");  // the outer marks differ from the inner one
  CHECK(data::in_quotes("a\tb\x1b[31m\u202ec\u0085") == "\"a\\tb\\u001b[31m\\u202ec\\u0085\"");
  CHECK(data::in_quotes("\xff") == "\"\ufffd\"");
  const std::string forty(40, 'x');
  CHECK(data::in_quotes(forty) == "\"" + forty + "\"");
  CHECK(data::in_quotes(forty + "y") == "\"" + forty + "…\"");
  CHECK(data::shortened(std::string(1000000, 'x')) == forty + "…");
  CHECK(data::shortened("日本語", 2) == "日本…");
  CHECK(data::shortened("日本語", 3) == "日本語");
  CHECK(data::shortened("") == "");
}

TEST_CASE("code points that change the direction or the state of a text are hidden commands") {
  for (const char32_t point :
       {U'\x1b', U'\x7f', U'\u061c', U'\u200e', U'\u200f', U'\u2028', U'\u202e', U'\u2066', U'\u2069', U'\uffff'})
    CHECK(data::is_hidden_command(point));
  for (const char32_t point :
       {U' ', U'~', U'\u00a0', U'\u061d', U'\u200d', U'\u2010', U'\u2027', U'\u202f', U'\u2065', U'\u206a', U'\ufffd'})
    CHECK_FALSE(data::is_hidden_command(point));
}
