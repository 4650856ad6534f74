// The picture that a record is of, for those who show it.
#pragma once

#include <memory>

#include "data/alignment/record.h"

namespace softalign::apps {

// Of words nothing.
void add_image(data::Record& record, const std::shared_ptr<const data::Picture>& picture);

}  // namespace softalign::apps
