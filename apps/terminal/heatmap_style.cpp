#include "apps/terminal/heatmap_style.h"

#include <unistd.h>

namespace softalign::apps {

HeatmapStyle screen_style(UseColour choice, bool to_screen) {
  return {choose_colours(choice, to_screen && is_terminal(STDOUT_FILENO)), terminal_columns(STDOUT_FILENO)};
}

}  // namespace softalign::apps
