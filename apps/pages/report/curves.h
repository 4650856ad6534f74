// The report's charts: learning curves, and BLEU against source length.
#pragma once

#include <string>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// Small multiples: one row of figures per family, with one figure each for validation loss, BLEU and AER. All families
// have the same axes, and the lines of the other families are faint in the background.
std::string learning_curves(const Study& study, const Outcomes& outcomes);

// A figure for each family, axes and faint lines as above.
std::string length_charts(const Study& study, const Outcomes& outcomes);

// All rows in one figure, as an SVG file of its own.
std::string length_figure(const Study& study, const Outcomes& outcomes);

}  // namespace softalign::apps
