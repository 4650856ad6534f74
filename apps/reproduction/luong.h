// Luong, Pham & Manning 2015: scores and scopes. Tables 1, 4 and 6.
#pragma once

#include "apps/reproduction/study.h"

namespace softalign::apps {

Study luong_study();

}  // namespace softalign::apps
