// This file finds out whether the terminal has a light background.
#pragma once

namespace softalign::apps {

// Returns true if the terminal has a light background. It reads COLORFGBG, which rxvt and Konsole set ("0;15" is black
// on white). If the variable is not set, it queries the terminal once for its background colour (OSC 11). If the
// terminal does not answer, it returns false, because most terminals are dark.
bool has_light_background();

}  // namespace softalign::apps
