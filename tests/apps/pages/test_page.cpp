#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "apps/pages/digest.h"
#include "apps/pages/html.h"
#include "apps/pages/viewer/page.h"
#include "tests/catch.h"

using namespace softalign;

namespace {

std::string hex(std::string_view text) {
  std::string digits;
  for (const auto byte : apps::sha256(text)) digits += fmt::format("{:02x}", byte);
  return digits;
}

std::string base64(std::string_view text) {
  return apps::base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// The text between the first `opening` and the next `closing`.
std::string element(const std::string& page, const std::string& opening, const std::string& closing) {
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find(closing, begin) - begin);
}

}  // namespace

// The digests are the examples of FIPS 180-2, appendix B, and coreutils' sha256sum for lengths near the padding
// boundary.
TEST_CASE("SHA-256 gives the published digests") {
  CHECK(hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hex(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(hex(std::string(55, 'a')) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  CHECK(hex(std::string(56, 'a')) == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  CHECK(hex(std::string(64, 'a')) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST_CASE("base64 gives the examples of RFC 4648") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xfb\xff") == "+/8=");
}

TEST_CASE("data cannot close their element and remain the same JSON") {
  const std::string json = nlohmann::json{{"t", "</script><!--<script>&amp;\u2028\u2029 é 你"}}.dump();
  const std::string escaped = apps::escape_json(json);
  CHECK(escaped.find_first_of("<>&") == std::string::npos);
  CHECK(escaped.find("\u2028") == std::string::npos);
  CHECK(escaped.find("\u2029") == std::string::npos);
  CHECK(escaped.find("你") != std::string::npos);
  CHECK(nlohmann::json::parse(escaped) == nlohmann::json::parse(json));
}

TEST_CASE("the page's policy names the hash of its style and of its script and allows nothing else") {
  const std::string page = apps::make_page("a <b> & c", R"({"note": "{{script}} </script>"})");
  CHECK(page.find("<title>a &lt;b&gt; &amp; c: soft alignments</title>") != std::string::npos);
  const auto hash = [](const std::string& text) { return "'sha256-" + apps::base64(apps::sha256(text)) + "'"; };
  const std::string style = element(page, "<style>", "</style>"), script = element(page, "<script>", "</script>");
  CHECK(style.size() > 1000);
  CHECK(script.size() > 10000);
  CHECK(element(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"") ==
        fmt::format("default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'", hash(style),
                    hash(script)));
  const std::string data = element(page, "id=\"data\">", "</script>");
  // A placeholder within the data is not replaced.
  CHECK(nlohmann::json::parse(data)["note"] == "{{script}} </script>");
  CHECK_FALSE(std::regex_search(page, std::regex("https?://(?!www\\.w3\\.org/2000/svg)")));
}
