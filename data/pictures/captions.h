// Pictures with captions, `picture<TAB>caption[<TAB>boxes[<TAB>tags]]`: the path of a picture is relative to the folder
// of the file. A box `X,Y,W,H-J` shows the object of word J (from 0): left, top, width and height in pixels of the
// picture in its file. Boxes are separated by spaces.
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

// Reads the picture and its cells as the source, and the caption as the target. The possible links of a word are the
// cells with their centre in one of its boxes, or, for a small box, the cell that contains the centre of the box.
// `options` are for the caption. Error, naming file and line: as of read_tsv; a picture that read_picture refuses; a
// box that is none, outside of its picture or of a word that is not there.
Corpus read_captions(const std::string& path, const PictureOptions& pictures, const CorpusOptions& options = {});

}  // namespace softalign::data
