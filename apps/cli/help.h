// --help, as a terminal shows it.
#pragma once

#include <cstddef>
#include <string>

#include "apps/cli/manual.h"

namespace softalign::apps {

// Usage, options under their headings, examples, notes, in lines of at most `columns` where words allow it. `all`:
// every option, with the numbers that it may be (--help-all); else those that manual.first names, and how many are left
// out.
std::string help_text(const Manual& manual, bool all, std::size_t columns);

}  // namespace softalign::apps
