// The manual page of a program, in the man macros of troff: man ./softalign-train.1
#pragma once

#include <string>

#include "apps/cli/manual.h"

namespace softalign::apps {

// Every option under its heading. The program goes by manual.called.
std::string man_page(const Manual& manual);

}  // namespace softalign::apps
