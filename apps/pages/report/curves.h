// The report's charts: learning curves, and BLEU against source length.
#pragma once

#include <string>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// Small multiples: a row of figures for each family, in it one for the validation loss, BLEU and AER each; all families
// have the same axes, and the other families' lines stand faint behind.
std::string learning_curves(const Study& study, const Outcomes& outcomes);

// A figure for each family, axes and faint lines as above.
std::string length_charts(const Study& study, const Outcomes& outcomes);

// All rows in one figure, as an SVG file of its own.
std::string length_figure(const Study& study, const Outcomes& outcomes);

}  // namespace softalign::apps
