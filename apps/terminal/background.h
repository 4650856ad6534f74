// Whether the terminal has a light background.
#pragma once

namespace softalign::apps {

// From COLORFGBG ("0;15": black on white, as rxvt and Konsole set it); else from the terminal itself, which is asked
// once for the colour of its background (OSC 11). False where neither says it: most terminals are dark.
bool has_light_background();

}  // namespace softalign::apps
