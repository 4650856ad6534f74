#include "autograd/random.h"
#include "data/corpus/readers.h"
#include "data/io/unicode.h"
#include "data/text/characters.h"
#include "data/text/tokenizer.h"
#include "tests/catch.h"
#include "tests/data/helpers.h"
#include "tests/folders.h"

using namespace softalign;
using namespace data;

namespace {

std::string tok(const std::string& text, const TokenizerOptions& options = {}) {
  return join_words(tokenize(text, options));
}
std::string detok(const std::string& tokens) { return detokenize(split_words(tokens)); }

// Checks the two promises of tokenizer.h for one text.
void check_promises(const std::string& text, const TokenizerOptions& options = {}) {
  const Tokens tokens = tokenize(text, options);
  INFO("text " << text << "\ntokens " << join_words(tokens) << "\nback " << detokenize(tokens, options));
  CHECK(tokenize(join_words(tokens), options) == tokens);
  CHECK(tokenize(detokenize(tokens, options), options) == tokens);
  CHECK(split_words(join_words(tokens)) == tokens);
}

}  // namespace

TEST_CASE("punctuation and symbols are tokens") {
  CHECK(tok("Oh, really?! \"Yes\" (no)...") == "oh , really ? ! \" yes \" ( no ) ...");
  CHECK(tok("dit-il… «ça» – a/b") == "dit -il … « ça » – a / b");
  CHECK(tok("") == "");
  CHECK(tok(" \t\u00A0 ") == "");
}

TEST_CASE("French elision is split at either apostrophe") {
  CHECK(tok("J'aime l’eau d'ici, qu'il n'a jusqu'ici") == "j' aime l' eau d' ici , qu' il n' a jusqu' ici");
  CHECK(tok("aujourd'hui quelqu’un") == "aujourd'hui quelqu'un");
  CHECK(tok("l'«eau» 'd'accord'") == "l' « eau » ' d' accord '");
  CHECK(tok("je t' aime") == "je t' aime");
}

TEST_CASE("French clitics are split, and other hyphens are not") {
  CHECK(tok("cherchez-le") == "cherchez -le");
  CHECK(tok("est-ce que n'est-ce pas") == "est -ce que n' est -ce pas");
  CHECK(tok("y a-t-il ? va-t'en donne-m'en") == "y a -t -il ? va -t' en donne -m' en");
  CHECK(tok("peut-être, dois-je voir-les-nous") == "peut -être , dois -je voir -les -nous");
  CHECK(tok("week-end celui-ci mother-in-law vingt-et-un arc-en-ciel") ==
        "week-end celui-ci mother-in-law vingt-et-un arc-en-ciel");
  CHECK(tok("-le -5 - -- -chien") == "-le -5 - -- - chien");
}

TEST_CASE("English clitics are split") {
  CHECK(tok("Peter's I'm they'll he'd've") == "peter 's i 'm they 'll he 'd 've");
  CHECK(tok("don't can't isn’t") == "do n't ca n't is n't");
  CHECK(tok("o'clock 's n't") == "o'clock 's n't");
}

TEST_CASE("numbers, abbreviations and addresses are not split") {
  CHECK(tok("1,000.50 at 2:30, 99.9% of $10.00.") == "1,000.50 at 2:30 , 99.9 % of $ 10.00 .");
  CHECK(tok("Mr. Smith, U.S. etc. 5 p.m.?") == "mr. smith , u.s. etc. 5 p.m. ?");
  CHECK(tok("I am. etc... b. U.S.A") == "i am . etc ... b . u.s.a");
  CHECK(tok("ftp://a.b/c, n'tx") == "ftp://a.b/c , n' tx");
  CHECK(tok("(https://a.b/c?d=1,2). www.x.org, me@x.fr! a@b a@bb.cc@d") ==
        "( https://a.b/c?d=1,2 ) . www.x.org , me@x.fr ! a @ b a @ bb . cc @ d");
}

TEST_CASE("Unicode: text is normalised to NFC and lower case, and spaces and grapheme clusters are recognised") {
  CHECK(tok("E\u0301TE\u0301") == "été");
  CHECK(tok("ÉTÉ ΣΑΣ") == "été σασ");
  CHECK(tok("Été", {Tokenization::words, false}) == "Été");
  CHECK(tok("E\u0301", {Tokenization::words, false}) == "É");
  CHECK(tok("J'AI", {Tokenization::words, false}) == "J' AI");
  CHECK(tok("Quoi\u202F? Oui\u00A0!") == "quoi ? oui !");
  CHECK(tok("co\u00ADopé\u200Brer\uFEFF \x01x") == "coopérer x");
  CHECK(tok("ok👍🏽👨‍👩‍👧!") == "ok 👍🏽 👨‍👩‍👧 !");
  // An enclosing circle is a mark; a paragraph separator is white space.
  CHECK(tok("a\u20DD b\u2029c") == "a\u20DD b c");
  CHECK(tok("漢字です。") == "漢字です 。");
}

TEST_CASE("the scheme spaces splits at spaces and tabs and normalises") {
  const TokenizerOptions spaces{Tokenization::spaces};
  CHECK(tokenize(" J\u2019AIME\u00A0\u00E7a!  E\u0301 ", spaces) == Tokens{"j'aime\u00A0\u00E7a!", "\u00E9"});
  CHECK(tokenize("J'aime", {Tokenization::spaces, false}) == Tokens{"J'aime"});
  CHECK(detokenize({"J'", "aime", "."}, spaces) == "J' aime .");
}

TEST_CASE("the scheme none splits at spaces and tabs and changes nothing else") {
  const TokenizerOptions none{Tokenization::none};
  CHECK(tokenize(" J'aime\u00A0ça.  E\u0301 ", none) == Tokens{"J'aime\u00A0ça.", "E\u0301"});
  CHECK(detokenize({"J'", "aime", "."}, none) == "J' aime .");
}

TEST_CASE("tokens are joined to a sentence") {
  CHECK(detok("je t' aime") == "je t'aime");
  CHECK(detok("cherchez -le .") == "cherchez-le.");
  CHECK(detok("a '{ b") == "a '{ b");
  CHECK(detok("n' est -ce pas ?") == "n'est-ce pas?");
  CHECK(detok("donne -m' en !") == "donne-m'en!");
  CHECK(detok("peter 's dog does n't bark , does it ?") == "peter's dog doesn't bark, does it?");
  CHECK(detok("\" yes , \" he said ( \" no \" ) ...") == "\"yes,\" he said (\"no\")...");
  CHECK(detok("« ça » coûte $ 10 ou 5 % ; non") == "«ça» coûte $10 ou 5%; non");
  CHECK(detok("") == "");
  CHECK(detok(".") == ".");
}

TEST_CASE("tokens that would merge are kept apart") {
  CHECK(detok("st .") == "st .");   // "st." is an abbreviation
  CHECK(detok("a . .") == "a. .");  // ".." is one token
  CHECK(detok("u.s .") == "u.s .");
  CHECK(detok("! 's") == "!'s");
}

TEST_CASE("tokenising twice changes nothing and detokenising is undone: French and English sentences") {
  for (const char* text : {"J’ai vu l'homme qu'elle m'a présenté aujourd'hui.", "Y a-t-il quelqu'un ? — Non, dit-elle…",
                           "« Donne-m'en ! » cria-t-il à Mme. Dupont, 3 rue de l'Église.",
                           "It's 5 p.m.; Mr. O'Neil's dog can't (won't?) bark: \"never\".",
                           "'Tis the dogs' bowl, isn't it?", "https://a.b/?q=l'eau-le, www.x.org... e-mail: a.b@c.d.",
                           "rock'n'roll 'n' d'you n't's l's's", "'{x} '|a l'{ -| n'{"}) {
    check_promises(text);
    check_promises(text, {Tokenization::words, false});
    check_promises(text, {Tokenization::none});
    check_promises(text, {Tokenization::spaces});
  }
}

TEST_CASE("a long line without spaces is tokenised in bounded time and correctly") {
  for (const char* piece : {"!", "a@", "-le", "x'", "a.", "l'", "(", "\u0301", "1,", "a"}) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += piece;
    check_promises("x" + text);
  }
}

TEST_CASE("the toy corpus is already tokenised, and its sentences are restored") {
  const Tokenize words = [](std::string_view text) { return tokenize(text); };
  for (const char* name : {"train", "valid", "test", "long"}) {
    const std::string path = testing::source_folder() + "/data/toy/" + name + ".tsv";
    const Corpus as_it_is = read_tsv(path), tokenised = read_tsv(path, {words, words});
    REQUIRE(as_it_is.pairs.size() == tokenised.pairs.size());
    REQUIRE_FALSE(as_it_is.pairs.empty());
    size_t changed = 0, lost = 0;
    for (size_t i = 0; i < as_it_is.pairs.size(); ++i) {
      for (const auto side : {&Pair::source, &Pair::target}) {
        const Tokens& tokens = as_it_is.pairs[i].*side;
        changed += tokenised.pairs[i].*side != tokens;
        lost += tokenize(detokenize(tokens)) != tokens;
      }
    }
    INFO(path);
    CHECK(changed == 0);
    CHECK(lost == 0);
  }
}

TEST_CASE("tokenising twice changes nothing and detokenising is undone: random text") {
  const std::vector<std::string> pieces = {
      "a",      "l",      "t",      "s",      "n",       "qu",     "le", "il",      "être",   "mr",     "st",
      "don",    "ll",     "É",      "I",      "5",       "1",      "'",  "'",       "’",      "-",      "-",
      ".",      ".",      ",",      ":",      "?",       "!",      "\"", "«",       "»",      "(",      ")",
      "$",      "%",      "@",      "www.",   "http://", "/",      "_",  "…",       " ",      " ",      "\u00A0",
      "\u202F", "\u0301", "\u0338", "\u200D", "👍",       "🏽",   "🇫🇷", "H\u0331", "\u212A", "İ",      "ß",
      "漢",     "\u00AD", "\u0345", "\u1100", "\u1161",  "\u0600", "#",  "&",       "=",      "\u02BC", "\u2011"};
  autograd::Random random(11);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (size_t n = 1 + random.below(12); n > 0; --n) text += pieces[random.below(pieces.size())];
    check_promises(text, {Tokenization::words, i % 4 != 0});
  }
}

TEST_CASE("tokenising twice changes nothing: every code point, alone, after and before a letter and a mark") {
  std::vector<std::string> failed;
  for (char32_t c = 1; c < 0x20000; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string x = encode_utf8(c);
    const std::string text = x + " a" + x + " " + x + "a " + x + "\u0301 '" + x + " -" + x + "'s";
    const Tokens tokens = tokenize(text);
    if (tokenize(join_words(tokens)) != tokens || tokenize(detokenize(tokens)) != tokens) failed.push_back(text);
  }
  CHECK(failed == Tokens{});
}

TEST_CASE("each character of scripts without spaces is a word") {
  const TokenizerOptions characters{.scheme = Tokenization::characters};
  CHECK(tok("我爱深度学习。", characters) == "我 爱 深 度 学 习 。");
  CHECK(tok("彼はBLEUを3回don't見た", characters) == "彼 は bleu を 3 回 do n't 見 た");
  CHECK(tok("ที่นี่", characters) == "ที่ นี่");  // marks stay with their base letter
  CHECK(tok("Oh, we don't", characters) == tok("Oh, we don't"));
  CHECK(tok("저는 학생", characters) == "저는 학생");
  CHECK(tok("我爱深度学习") == "我爱深度学习");
  for (const char* text : {"我爱深度学习。他说：“好！”", "彼はBLEUを3回don't見た", "ที่นี่ 2:30", "a我b", "我 爱"})
    check_promises(text, characters);
  std::string longer, spaced;
  for (int i = 0; i < 80; ++i) longer += "我", spaced += i ? " 我" : "我";
  CHECK(detokenize(split_words(spaced), characters) == longer);
  CHECK(detokenize(split_words("我 爱 bleu 分 。"), characters) == "我爱 bleu 分。");
  CHECK(detokenize(split_words("我 爱")) == "我 爱");
}

TEST_CASE("a detokenised sentence gives the position of each token") {
  Spans places;
  CHECK(detokenize(split_words("« je t' été <unk> , vas -y ! »"), {}, &places) == "«je t'été <unk> , vas-y!»");
  CHECK(places == Spans{{0, 1}, {1, 3}, {4, 6}, {6, 9}, {10, 15}, {16, 17}, {18, 21}, {21, 23}, {23, 24}, {24, 25}});
  CHECK(detokenize({"a", "b", "."}, {Tokenization::none}, &places) == "a b .");
  CHECK(places == Spans{{0, 1}, {2, 3}, {4, 5}});
  CHECK(detokenize(split_words("我 爱 a"), {Tokenization::characters}, &places) == "我爱 a");
  CHECK(places == Spans{{0, 1}, {1, 2}, {3, 4}});
  CHECK(unspaced_characters("我爱深度学习") == 6);
  CHECK(unspaced_characters("ที่นี่") == 2);
  CHECK(unspaced_characters("我bleu") == 0);
  CHECK(unspaced_characters("") == 0);
}
