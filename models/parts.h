// A decoder's own structs, its state and what it looks at, on their way through code that does not know them.
#pragma once

#include <any>
#include <stdexcept>

namespace softalign::models {

// std::logic_error if the struct is another decoder's.
template <class Parts>
const Parts& own(const std::any& parts) {
  if (const Parts* known = std::any_cast<Parts>(&parts)) return *known;
  throw std::logic_error("a decoder was given the memory or the state of another one");
}

}  // namespace softalign::models
