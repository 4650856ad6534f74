// What shells complete a program's options by: names, and the values of those that have a few. Files where any text may
// stand.
#pragma once

#include <string>

#include "apps/cli/manual.h"

namespace softalign::apps {

// Each as a file that the shell reads by itself: bash-completion's completions/CALLED, zsh's site-functions/_CALLED,
// fish's vendor_completions.d/CALLED.fish.
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

// Text as one word of a fish script.
std::string quoted_for_fish(const std::string& text);

}  // namespace softalign::apps
