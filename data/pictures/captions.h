// Pictures with captions, `picture<TAB>caption[<TAB>boxes[<TAB>tags]]`: a file with the pictures in its folder, each
// named by its path from there. Boxes say what a word is of, `X,Y,W,H-J`: left, top, width and height in pixels of the
// picture as it is in its file, and the word's place in the caption from 0, separated by spaces.
#pragma once

#include <cstddef>
#include <string>

#include "data/corpus/corpus.h"

namespace softalign::data {

struct Box {
  std::size_t left, top, width, height;  // pixels
};

// The size of every picture, and the cells that a model attends to.
struct PictureOptions {
  std::size_t height = 0, width = 0;  // pixels that pictures are brought to
  std::size_t rows = 0, columns = 0;  // cells
};

// Their names, row by row, counted from 1: "1,1" "1,2" ..
Tokens cell_names(std::size_t rows, std::size_t columns);

// The picture and its cells; the caption is the target. Of each word with boxes the cells whose middle lies in one are
// its possible links, or where a box is that small the cell that its middle lies in. `options` are of the caption.
// Error, naming file and line: as of read_tsv; a picture that read_picture refuses; a box that is none,
// outside of its picture or of a word that is not there.
Corpus read_captions(const std::string& path, const PictureOptions& pictures, const CorpusOptions& options = {});

}  // namespace softalign::data
