// This file reads pictures with captions. A line has the form `picture<TAB>caption[<TAB>boxes[<TAB>tags]]`. The path of
// the picture is relative to the folder of the file. A box `X,Y,W,H-J` shows where the picture has the object of word
// J, counted from 0. X, Y, W and H are left, top, width and height in pixels. Spaces separate the boxes. Tags are any
// words that put the line into groups, for separate results (data/corpus/corpus.h).
#pragma once

#include <cstddef>
#include <string>

#include "data/corpus/corpus.h"

namespace softalign::data {

struct Box {
  std::size_t left, top, width, height;  // pixels
};

// PictureOptions has the size of every picture, and the number of cells to which a model attends.
struct PictureOptions {
  std::size_t height = 0, width = 0;  // pixels, to which every picture is scaled
  std::size_t rows = 0, columns = 0;  // cells
};

// Returns the names of the cells, row by row, counted from 1: "1,1" "1,2" ..
Tokens cell_names(std::size_t rows, std::size_t columns);

// Reads a file of captions. The cells of a picture become the source, and the caption becomes the target. A word with a
// box gets possible links to all cells whose centre is in the box. If the box contains no centre, the word gets a link
// to the cell that contains the centre of the box. `options` say how captions are read, for example their tokeniser.
//
// Throws Error like read_tsv and read_picture. Also throws Error for a malformed box, for a box that is not inside its
// picture, and for a box of a word that the caption does not have. The message names file and line.
Corpus read_captions(const std::string& path, const PictureOptions& pictures, const CorpusOptions& options = {});

}  // namespace softalign::data
