// Unicode's categories of code points, by utf8proc.
#pragma once

#include <utf8proc.h>

namespace softalign::data {

inline utf8proc_int32_t number(char32_t c) { return static_cast<utf8proc_int32_t>(c); }
inline utf8proc_category_t category(char32_t c) { return utf8proc_category(number(c)); }

inline bool is_letter(char32_t c) { return category(c) >= UTF8PROC_CATEGORY_LU && category(c) <= UTF8PROC_CATEGORY_LO; }
inline bool is_mark(char32_t c) { return category(c) >= UTF8PROC_CATEGORY_MN && category(c) <= UTF8PROC_CATEGORY_ME; }

}  // namespace softalign::data
