#include "data/io/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <new>

#include "data/io/error.h"
#include "data/io/line_limit.h"

namespace softalign::data {

std::optional<Compressed> compressed(std::string_view bytes) {
  using namespace std::string_view_literals;
  struct Kind {
    std::string_view begin;
    Compressed how;
  };
  static constexpr Kind kinds[] = {{"\x1f\x8b"sv, {"gzip", "gzip -dk", "gzip -dc"}},
                                   {"\xfd\x37zXZ\0"sv, {"xz", "xz -dk", "xz -dc"}},
                                   {"BZh"sv, {"bzip2", "bzip2 -dk", "bzip2 -dc"}},
                                   {"\x28\xb5\x2f\xfd"sv, {"zstd", "zstd -d", "zstd -dc"}},
                                   {"PK\3\4"sv, {"zip", "unzip", "unzip -p"}},
                                   {"7z\xbc\xaf\x27\x1c"sv, {"7z", "7z x", "7z x -so"}},
                                   {"\x04\x22\x4d\x18"sv, {"lz4", "lz4 -dk", "lz4 -dc"}},
                                   {"LZIP\1"sv, {"lzip", "lzip -dk", "lzip -dc"}},
                                   {"\x1f\x9d"sv, {"compress", "gzip -dk", "gzip -dc"}}};
  for (const auto& [begin, how] : kinds) {
    if (!bytes.starts_with(begin)) continue;
    // bzip2 data begin with letters, so a text may begin with the same letters. After the block size, bzip2 data
    // continue with a block or with the end of the stream.
    if (begin == "BZh" && bytes.substr(4, 6) != "1AY&SY" && bytes.substr(4, 6) != "\x17rE8P\x90") continue;
    return how;
  }
  return std::nullopt;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(std::string_view bytes, const std::string& name) {
  z_stream stream{};
  if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();  // + 16: for gzip's header and checksum
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, inflateEnd);
  std::size_t left = bytes.size();  // bytes that zlib has not received yet
  const auto fail = [&](const char* problem) {
    throw Error(ErrorKind::damaged_file,
                fmt::format("{}: {} at byte {} of {}. Check the file with gzip -t {}", name, problem,
                            bytes.size() - left - stream.avail_in, bytes.size(), name));
  };
  std::string text;
  LineLimit limit(name);
  std::size_t seen = 0;  // bytes of the text that `limit` has seen
  Bytef block[1 << 16];
  while (left > 0 || stream.avail_in > 0) {  // one member of the file
    inflateReset(&stream);
    for (int status = Z_OK; status != Z_STREAM_END;) {
      if (stream.avail_in == 0) {  // avail_in cannot count more
        const std::size_t part = std::min<std::size_t>(left, std::numeric_limits<uInt>::max());
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + bytes.size() - left));
        stream.avail_in = static_cast<uInt>(part);
        left -= part;
      }
      stream.next_out = block;
      stream.avail_out = sizeof block;
      status = inflate(&stream, Z_NO_FLUSH);
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_BUF_ERROR) fail("the gzip data are cut short");
      if (status != Z_OK && status != Z_STREAM_END) fail("the gzip data are damaged");
      text.append(reinterpret_cast<const char*>(block), sizeof block - stream.avail_out);
      limit.add(std::string_view(text).substr(seen));
      seen = text.size();
    }
  }
  return text;
}

std::string first_line(const std::string& path) {
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  std::string line;
  if (!file) return line;
  LineLimit limit(path);
  char block[4096];
  for (int got = 0; (got = gzread(file.get(), block, sizeof block)) > 0;) {
    const std::string_view piece(block, static_cast<std::size_t>(got));
    limit.add(piece);
    const std::size_t end = piece.find('\n');
    line += piece.substr(0, end);
    if (end != piece.npos) break;
  }
  return line;
}

std::string gzip(std::string_view bytes) {
  constexpr std::size_t most = std::size_t{1} << 31;  // zlib counts bytes in 32 bits
  if (bytes.size() > most) throw std::length_error("gzip: there are more than 2 GiB to compress");
  z_stream stream{};
  const int default_memory = 8, gzip_header = 16;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_header, default_memory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_streamp)> end(&stream, deflateEnd);
  std::string packed(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) throw std::logic_error("gzip: the result is larger than expected");
  packed.resize(stream.total_out);
  return packed;
}

}  // namespace softalign::data
