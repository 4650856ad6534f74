#include "data/pictures/jpeg_file.h"

#include <fmt/format.h>

#include "data/io/fields.h"
#include "data/pictures/internal/decoding.h"

#ifndef SOFTALIGN_WITHOUT_JPEG
#include <csetjmp>
#include <cstdio>  // jpeglib.h needs it
#include <new>
#include <utility>

#include <jpeglib.h>

#include <jerror.h>
#endif

namespace softalign::data {

bool is_jpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }

#ifdef SOFTALIGN_WITHOUT_JPEG

Picture parse_jpeg(std::string_view, const std::string& path) {
  fail(path,
       fmt::format("the file is JPEG, which this program was built without. Build it with -DSOFTALIGN_JPEG=ON. {}",
                   advice_to_convert(path)),
       ErrorKind::unsupported_format);
}

#else

namespace {

constexpr int most_scans = 100;  // encoders write about 10; a small damaged file could take minutes with thousands
constexpr std::string_view before_exif("Exif\0\0", 6);

// When libjpeg finds an error, it calls a function that must not return, and it would end the program by default. An
// exception cannot leave its C code, so these functions jump back to Decoder::done.
struct Errors : jpeg_error_mgr {
  std::jmp_buf back;
  bool too_many_scans = false;
};

Errors& errors_of(j_common_ptr info) { return static_cast<Errors&>(*info->err); }

[[noreturn]] void jump_back(j_common_ptr info) { std::longjmp(errors_of(info).back, 1); }

// libjpeg continues after a warning, with grey in place of lost pixels. Here a warning about the data is an error.
// There are two exceptions, because the picture is complete: bytes that a camera added at the end, and a newer version
// of JFIF.
void on_message(j_common_ptr info, int level) {
  const jpeg_error_mgr& error = *info->err;
  const bool harmless =
      error.msg_code == JWRN_JFIF_MAJOR || (error.msg_code == JWRN_EXTRANEOUS_DATA && error.msg_parm.i[1] == JPEG_EOI);
  if (level < 0 && !harmless) jump_back(info);
}

void on_progress(j_common_ptr info) {
  if (reinterpret_cast<j_decompress_ptr>(info)->input_scan_number <= most_scans) return;
  errors_of(info).too_many_scans = true;
  jump_back(info);
}

class Decoder {
 public:
  Decoder(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = jump_back;
    errors_.emit_message = on_message;
    progress_.progress_monitor = on_progress;
  }
  ~Decoder() { jpeg_destroy_decompress(&info_); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  Picture read() {
    run([this] {
      jpeg_create_decompress(&info_);
      info_.progress = &progress_;
      jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
      jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xffff);  // Exif
      jpeg_read_header(&info_, TRUE);
    });
    check_picture_size(info_.image_height, info_.image_width, path_);
    check_colours();
    const int orientation = stored_orientation();
    info_.out_color_space = JCS_RGB;
    run([this] { jpeg_start_decompress(&info_); });
    Picture picture{info_.output_height, info_.output_width, {}};
    const std::size_t row = picture.width * 3;
    // Memory is reserved, but not touched before a row is decoded, because a damaged file may name a large size.
    picture.rgb.reserve(picture.height * row);
    for (std::size_t y = 0; y < picture.height; ++y) {
      picture.rgb.resize((y + 1) * row);
      JSAMPROW at = &picture.rgb[y * row];
      run([this, &at] { jpeg_read_scanlines(&info_, &at, 1); });
    }
    run([this] { jpeg_finish_decompress(&info_); });
    return upright(std::move(picture), orientation);
  }

 private:
  // Returns false if libjpeg found an error in the step. No object with a destructor may live between here and libjpeg.
  template <class Step>
  bool done(const Step& step) {
    if (setjmp(errors_.back) != 0) return false;
    step();
    return true;
  }

  template <class Step>
  void run(const Step& step) {
    if (!done(step)) refuse();
  }

  [[noreturn]] void refuse() {
    if (errors_.too_many_scans)
      fail(path_, fmt::format("the JPEG file has more than {} scans. {}", most_scans, advice_to_convert(path_)),
           ErrorKind::unsupported_format);
    char text[JMSG_LENGTH_MAX];
    errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), text);
    switch (errors_.msg_code) {
      case JERR_OUT_OF_MEMORY:
        throw std::bad_alloc();
      case JERR_EMPTY_IMAGE:
      case JERR_IMAGE_TOO_BIG:
        check_picture_size(info_.image_height, info_.image_width, path_);
        break;
      case JWRN_JPEG_EOF:
        fail(path_, fmt::format("the JPEG file is cut short after {} bytes. Copy the file again", bytes_.size()),
             ErrorKind::damaged_file);
      case JERR_BAD_PRECISION:
      case JERR_SOF_UNSUPPORTED:
      case JERR_ARITH_NOTIMPL:
        fail(path_, fmt::format("libjpeg cannot read this kind of JPEG: {}. {}", text, advice_to_convert(path_)),
             ErrorKind::unsupported_format);
    }
    fail(path_, fmt::format("the JPEG file is damaged: {}. Copy the file again", text), ErrorKind::damaged_file);
  }

  void check_colours() const {
    const J_COLOR_SPACE colours = info_.jpeg_color_space;
    if (colours == JCS_GRAYSCALE || colours == JCS_RGB || colours == JCS_YCbCr) return;
    const bool print = colours == JCS_CMYK || colours == JCS_YCCK;
    fail(path_,
         fmt::format("the JPEG file has {}, but the pixels must be grey or RGB. {}",
                     print ? "CMYK colours, which are for printing"
                           : fmt::format("{} unknown colours per pixel", info_.num_components),
                     advice_to_convert(path_)),
         ErrorKind::unsupported_format);
  }

  int stored_orientation() const {
    for (jpeg_saved_marker_ptr marker = info_.marker_list; marker; marker = marker->next) {
      const std::string_view data(reinterpret_cast<const char*>(marker->data), marker->data_length);
      if (data.starts_with(before_exif)) return orientation_of(data.substr(before_exif.size()));
    }
    return 1;
  }

  std::string_view bytes_;
  const std::string& path_;
  Errors errors_{};
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct info_{};
};

}  // namespace

Picture parse_jpeg(std::string_view bytes, const std::string& path) { return Decoder(bytes, path).read(); }

#endif

}  // namespace softalign::data
