// Sutskever, Vinyals & Le 2014: a fixed vector, and reading the source from its end.
#pragma once

#include "apps/reproduction/study.h"

namespace softalign::apps {

Study sutskever_study();

}  // namespace softalign::apps
