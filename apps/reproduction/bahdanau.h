// Bahdanau, Cho & Bengio 2015: attention frees a model from the length of its sentences. Table 1 and Figure 2.
#pragma once

#include "apps/reproduction/study.h"

namespace softalign::apps {

Study bahdanau_study();

}  // namespace softalign::apps
