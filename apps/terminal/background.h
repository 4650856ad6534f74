// Whether the terminal has a light background.
#pragma once

namespace softalign::apps {

// Reads COLORFGBG ("0;15": black on white, as rxvt and Konsole set it). Otherwise it queries the terminal once for its
// background colour (OSC 11). It is false if neither answers, because most terminals are dark.
bool has_light_background();

}  // namespace softalign::apps
