// Elements of HTML and SVG as text. The viewer and the report use them.
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

// RFC 4648, section 4, with padding.
std::string base64(std::span<const std::uint8_t> bytes);

// A coordinate of a drawing in SVG, in px, with at most one decimal: "12", "12.5".
std::string coordinate(double value);

// The view box of a drawing with its origin at the top left: "0 0 360 224".
std::string view_box(double width, double height);

// An estimate of the largest width of the text at 12 px; letters of a proportional font differ.
double text_width(std::string_view words);

// Escapes text for an element or a quoted attribute: < > & and the double quote become references.
std::string escape_html(std::string_view text);

struct Attribute {
  Attribute(std::string_view name_, double value_) : name(name_), value(coordinate(value_)) {}
  Attribute(std::string_view name_, std::string value_) : name(name_), value(std::move(value_)) {}
  Attribute(std::string_view name_, const char* value_) : name(name_), value(value_) {}
  std::string_view name;
  std::string value;
};

// Returns <name attributes>content</name>. Attribute values are escaped, and empty ones are left out. The content is
// markup.
std::string element(std::string_view name, std::initializer_list<Attribute> attributes, std::string_view content = "");

// Text as content: escaped, with a visible character for invisible ones. Control characters and characters that reverse
// the direction of text become U+FFFD, and empty text becomes "∅".
std::string text(std::string_view words);

// "</s>", "<unk>".
bool is_special(std::string_view token);

// The words of a sentence. Each is isolated from the text direction of its neighbours, and <unk> and </s> have their
// own style.
std::string words_of(const std::vector<std::string>& tokens);

// Replaces each {{name}} of the template by its value. Inserted text is not searched again, so data may contain
// anything.
std::string fill_template(std::string_view text, const std::map<std::string_view, std::string_view>& values);

}  // namespace softalign::apps
