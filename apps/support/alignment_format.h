// An alignment record as text: the formats that align and translate write.
#pragma once

#include <string>
#include <vector>

#include "apps/support/heatmap.h"
#include "data/record.h"

namespace apps {

// jsonl    the whole record, schema softalign/1 (data/record.h)
// pharaoh  links by argmax, source-target, from 0, without </s>: "0-0 2-1 1-2"
// hard     Marian's --alignment hard: target words ||| the same links
// soft     Marian's --alignment soft: target words ||| weights, source positions joined by commas, target steps by
//          spaces, </s> on both sides
// plot     the terminal heatmap, several lines and a blank one
const std::vector<std::string>& alignment_formats();

// With its line end(s). `style` is for plot.
std::string format_record(const data::Record& record, const std::string& format, const HeatmapStyle& style);

// The part of hard and soft that follows the target words.
std::string hard_links(const data::Record& record);
std::string soft_weights(const data::Record& record);

}  // namespace apps
