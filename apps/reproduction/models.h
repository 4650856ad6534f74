// Every model of the family on one corpus, at equal sizes and epochs.
#pragma once

#include "apps/reproduction/study.h"

namespace softalign::apps {

Study models_study();

}  // namespace softalign::apps
