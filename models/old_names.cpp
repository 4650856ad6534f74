#include "models/old_names.h"

#include <array>

namespace softalign::models {

namespace {

// A row without an old value renames the option and keeps its value.
struct Renamed {
  const char *old_option, *old_value, *option, *value;
};

constexpr std::array renamed{
    Renamed{"accumulate", "", "gradient-accumulation", ""},
    Renamed{"piece-model", "", "subword-model", ""},
    Renamed{"pieces", "", "subwords", ""},
    Renamed{"scope", "", "attention-window", ""},
    Renamed{"start", "", "initial-state", ""},
    Renamed{"wire", "", "gradient-dtype", ""},
    // Before the user could choose an encoder, --encoder was the direction of luong's encoder.
    Renamed{"encoder", "bidirectional", "unidirectional", "false"},
    Renamed{"encoder", "unidirectional", "unidirectional", "true"},
    Renamed{"look", "hard", "hard-attention", "true"},
    Renamed{"look", "soft", "hard-attention", "false"},
    Renamed{"over", "original", "over", "words"},
    Renamed{"positions", "relative", "positions", "rotary"},
};

}  // namespace

Setting with_current_names(const Setting& setting) {
  for (const auto& [old_option, old_value, option, value] : renamed) {
    if (setting.option != old_option) continue;
    if (*old_value == '\0') return {option, setting.value};
    if (setting.value == old_value) return {option, value};
  }
  return setting;
}

}  // namespace softalign::models
