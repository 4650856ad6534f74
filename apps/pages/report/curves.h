// This file draws the charts of a report: learning curves, and BLEU for each source length.
#pragma once

#include <string>

#include "apps/reproduction/study.h"

namespace softalign::apps {

// Draws one row of small figures per family of models. The figures show the validation loss, BLEU and AER. All families
// have the same axes. The lines of the other families are faint in the background.
std::string learning_curves(const Study& study, const RunOutcomes& outcomes);

// Draws one figure per family, with BLEU for each source length. Axes and faint lines are as in learning_curves().
std::string length_charts(const Study& study, const RunOutcomes& outcomes);

// Draws all models in one figure, and returns it as an SVG file.
std::string length_figure(const Study& study, const RunOutcomes& outcomes);

}  // namespace softalign::apps
