#include "apps/inference/source_image.h"

#include "apps/pages/picture.h"

namespace softalign::apps {

void add_image(data::Record& record, const std::shared_ptr<const data::Picture>& picture) {
  if (picture) record.source_image = data_address(*picture);
}

}  // namespace softalign::apps
