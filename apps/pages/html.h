// This file makes elements of HTML and SVG as text. The viewer and the reports of `reproduce` use it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace softalign::apps {

// Encodes bytes in base64 (RFC 4648, section 4), with padding.
std::string base64(std::span<const std::uint8_t> bytes);

// Returns a coordinate of an SVG drawing in px, with at most one decimal: "12", "12.5".
std::string coordinate(double value);

// Returns the view box of an SVG drawing whose origin is at the top left: "0 0 360 224".
std::string view_box(double width, double height);

// Estimates the largest width in px that a text can have at the font size 12 px. The true width depends on the font.
double text_width(std::string_view words);

// Escapes text for an element or for a quoted attribute. The characters < > & and the double quote become character
// references, for example &lt;.
std::string escape_html(std::string_view text);

struct Attribute {
  Attribute(std::string_view name_, double value_) : name(name_), value(coordinate(value_)) {}
  Attribute(std::string_view name_, std::string value_) : name(name_), value(std::move(value_)) {}
  Attribute(std::string_view name_, const char* value_) : name(name_), value(value_) {}
  std::string_view name;
  std::string value;
};

// Returns <name attributes>content</name>. Attribute values are escaped, and empty ones are left out. The content is
// markup, so it is not escaped.
std::string element(std::string_view name, std::initializer_list<Attribute> attributes, std::string_view content = "");

// Returns text as the content of an element. The text is escaped. Invisible characters become visible: control
// characters and characters that reverse the direction of text become U+FFFD, and empty text becomes "∅".
std::string text(std::string_view words);

// Returns true for a special token, such as "</s>" or "<unk>".
bool is_special(std::string_view token);

// Returns the words of a sentence as markup. The text direction of a word does not affect its neighbours. <unk> and
// </s> have their own style.
std::string words_of(const std::vector<std::string>& tokens);

// Replaces each {{name}} of the template by its value. The function does not search the inserted text again, so data
// may contain anything.
std::string fill_template(std::string_view text, const std::map<std::string_view, std::string_view>& values);

}  // namespace softalign::apps
