// The smallest translation that can be trained: two pairs, four units.
#pragma once

#include <string>
#include <vector>

#include "apps/training/seq2seq_task.h"
#include "models/config.h"

using namespace softalign;

struct Translating {
  static apps::TrainOptions small() {
    apps::TrainOptions o;
    o.model.embedding = o.model.hidden = o.model.attention_size = o.model.readout = 4;
    return o;
  }
  static std::string config_of(apps::TrainOptions o) {
    complete(o);
    return models::write_config(table(o));
  }
  static std::vector<data::Pair> pairs() {
    return {{{"i", "know"}, {"je", "sais"}, {}, {}, 1}, {{"you", "know"}, {"tu", "sais"}, {}, {}, 2}};
  }
  apps::TrainingData data{{pairs()}, {pairs()}};
  apps::LoadedRun run = apps::learn_run(small(), config_of(small()), data.train.pairs);
  apps::Seq2SeqTask task{run, data};
};
