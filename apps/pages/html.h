// HTML as text: what both pages, the viewer's and the report's, are written with.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace apps {

// Text that may stand in an element or in a quoted attribute: < > & and the double quote as references.
std::string escape_html(std::string_view text);

// Each {{name}} of the template by its value. What is put in is not looked at again, so that data may hold anything.
std::string fill_template(std::string_view text, const std::map<std::string_view, std::string_view>& values);

// What a content security policy calls the content of an inline element (CSP level 3, section 6.7.2): 'sha256-...'.
std::string policy_hash(std::string_view content);

}  // namespace apps
