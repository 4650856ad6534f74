// Elements of HTML and SVG as text.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

// A coordinate with at most one decimal: "12", "12.5".
std::string coordinate(double value);

struct Attribute {
  Attribute(std::string_view name_, double value_) : name(name_), value(coordinate(value_)) {}
  Attribute(std::string_view name_, std::string value_) : name(name_), value(std::move(value_)) {}
  Attribute(std::string_view name_, const char* value_) : name(name_), value(value_) {}
  std::string_view name;
  std::string value;
};

// <name attributes>content</name>. Attribute values are escaped, empty ones left out; the content is markup.
std::string element(std::string_view name, std::initializer_list<Attribute> attributes, std::string_view content = "");

// Text as content: escaped, with a shape for what has none. Control characters and those that turn the direction of the
// text around become U+FFFD, and no text at all "∅".
std::string text(std::string_view words);

// "</s>", "<unk>".
bool is_special(std::string_view token);

// The words of a sentence, each isolated from the direction of its neighbours; <unk> and </s> set apart.
std::string words_of(const std::vector<std::string>& tokens);

// How wide the text stands at 12 px, at most, as good as: letters of a proportional font differ.
double text_width(std::string_view words);

}  // namespace apps
