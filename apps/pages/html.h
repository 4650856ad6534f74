// Elements of HTML and SVG as text: what both pages, the viewer's and the report's, are written with.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/pages/svg.h"

namespace softalign::apps {

// Text that may stand in an element or in a quoted attribute: < > & and the double quote as references.
std::string escape_html(std::string_view text);

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

// Each {{name}} of the template by its value. What is put in is not looked at again, so that data may hold anything.
std::string fill_template(std::string_view text, const std::map<std::string_view, std::string_view>& values);

// What a content security policy calls the content of an inline element (CSP level 3, section 6.7.2): 'sha256-...'.
std::string policy_hash(std::string_view content);

}  // namespace softalign::apps
