// Every family of models: the one list to enter a new one in, twice. Each is defined in its own file.
#pragma once

#include "models/registry.h"

namespace softalign::models {

Family rnnsearch();         // Bahdanau, Cho & Bengio 2015           models/recurrent/rnnsearch.cpp
Family luong();             // Luong, Pham & Manning 2015            models/recurrent/luong.cpp
Family sutskever();         // Sutskever, Vinyals & Le 2014          models/recurrent/sutskever.cpp
Family cho();               // Cho et al. 2014                       models/recurrent/cho.cpp
Family cheng();             // Cheng, Dong & Lapata 2016             models/recurrent/cheng.cpp
Family transformer();       // Vaswani et al. 2017                   models/transformer/transformer.cpp
Family show_attend_tell();  // Xu et al. 2015: captions of pictures     models/pictures/captioner.cpp
Family sukhbaatar();        // Sukhbaatar et al. 2015: questions to stories     models/stories/sukhbaatar.cpp
Family hermann();           // Hermann et al. 2015                              models/stories/hermann.cpp
Family parikh();            // Parikh et al. 2016: what one sentence says of another    models/sentence_pairs/parikh.cpp
// Of nothing but the words before:
Family transformer_language_model();  // Liu et al. 2018, Radford et al. 2018    models/language_models/
Family recurrent_language_model();    // Mikolov et al. 2010                     models/language_models/
Family lstmn_language_model();        // Cheng, Dong & Lapata 2016               models/language_models/

inline std::vector<Family> families() {
  return {rnnsearch(),
          luong(),
          sutskever(),
          cho(),
          cheng(),
          transformer(),
          show_attend_tell(),
          sukhbaatar(),
          hermann(),
          parikh(),
          transformer_language_model(),
          recurrent_language_model(),
          lstmn_language_model()};
}

}  // namespace softalign::models
