#include "codec/trace/decompress.h"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

namespace stint::codec {

using base::refuse;
using base::Result;

namespace {

constexpr std::string_view kGzipMagic{"\x1f\x8b", 2};
constexpr std::string_view kZstdMagic{"\x28\xb5\x2f\xfd", 4};
constexpr std::string_view kSkippableTail{"\x2a\x4d\x18", 3};
constexpr std::size_t kFirstRoom = std::size_t{64} << 10U;
// zlib counts a call's input and output in unsigned int.
constexpr std::size_t kZlibStep = std::numeric_limits<uInt>::max() / 2;

// The unpacked bytes, growing by doubling up to the cap and one byte more (so that the cap is
// seen).
class Output {
 public:
  Output(std::size_t packed_size, std::size_t bytes_max) : bytes_max_(bytes_max) {
    bytes_.resize(std::min(std::max(packed_size * 4, kFirstRoom), bytes_max_ + 1));
  }
  [[nodiscard]] char* free_begin() { return bytes_.data() + used_; }
  [[nodiscard]] std::size_t free_size() const { return bytes_.size() - used_; }
  void take(std::size_t count) { used_ += count; }
  // Requires fits(): there is always room for the byte that shows that the cap is passed.
  void make_room() {
    if (free_size() == 0) bytes_.resize(std::min(bytes_.size() * 2, bytes_max_ + 1));
  }
  [[nodiscard]] bool fits() const { return used_ <= bytes_max_; }
  [[nodiscard]] std::string finish() && {
    bytes_.resize(used_);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  std::size_t used_ = 0;
  std::size_t bytes_max_;
};

tl::unexpected<base::Error> too_large(std::size_t bytes_max) {
  return refuse(
      fmt::format("the packed data unpacks to more than {} bytes; split the file into smaller ones",
                  bytes_max));
}

tl::unexpected<base::Error> cut_off(std::string_view packing) {
  return refuse(
      fmt::format("the {} data ends too early; the file was cut off, fetch it again", packing));
}

tl::unexpected<base::Error> damaged(std::string_view packing, std::size_t at,
                                    std::string_view reason) {
  return refuse(fmt::format("the {} data is damaged near byte {} ({}); fetch the file again",
                            packing, at, reason));
}

struct InflateEnd {
  void operator()(z_stream* stream) const {
    inflateEnd(stream);
    delete stream;
  }
};

// Inflates the member at bytes[at...]; moves `at` behind it.
Result<bool> inflate_member(std::string_view bytes, std::size_t& at, Output& output,
                            std::size_t bytes_max) {
  std::unique_ptr<z_stream, InflateEnd> stream(new z_stream{});
  // 16 added to the window bits asks for the gzip wrapper only (zlib.h, inflateInit2).
  if (inflateInit2(stream.get(), MAX_WBITS + 16) != Z_OK) {
    return base::fail("zlib could not be started for lack of memory");
  }
  while (true) {
    output.make_room();
    const std::size_t in = std::min(bytes.size() - at, kZlibStep);
    const std::size_t out = std::min(output.free_size(), kZlibStep);
    // zlib does not write to its input; its declaration only says so with ZLIB_CONST.
    stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
    stream->avail_in = static_cast<uInt>(in);
    stream->next_out = reinterpret_cast<Bytef*>(output.free_begin());
    stream->avail_out = static_cast<uInt>(out);
    const int state = inflate(stream.get(), Z_NO_FLUSH);
    at += in - stream->avail_in;
    output.take(out - stream->avail_out);
    if (!output.fits()) return too_large(bytes_max);
    if (state == Z_STREAM_END) return true;
    if (state == Z_BUF_ERROR || (state == Z_OK && at == bytes.size() && stream->avail_out > 0)) {
      return cut_off("gzip");
    }
    if (state != Z_OK) {
      return damaged("gzip", at, stream->msg != nullptr ? stream->msg : "unknown block");
    }
  }
}

Result<std::string> unpack_gzip(std::string_view bytes, std::size_t bytes_max) {
  Output output(bytes.size(), bytes_max);
  std::size_t at = 0;
  while (at < bytes.size()) {
    STINT_TRY([[maybe_unused]] const bool done, inflate_member(bytes, at, output, bytes_max));
    const std::string_view rest = bytes.substr(at);
    // Tapes and some servers pad with zeros, which gzip(1) accepts too.
    if (rest.find_first_not_of('\0') == std::string_view::npos) break;
    if (!rest.starts_with(kGzipMagic)) {
      return refuse(fmt::format(
          "{} bytes follow the gzip data at byte {} and are no further member; cut them off",
          rest.size(), at));
    }
  }
  return std::move(output).finish();
}

struct FreeDStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

Result<std::string> unpack_zstd(std::string_view bytes, std::size_t bytes_max) {
  const std::unique_ptr<ZSTD_DStream, FreeDStream> stream(ZSTD_createDStream());
  if (stream == nullptr) return base::fail("zstd could not be started for lack of memory");
  Output output(bytes.size(), bytes_max);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::size_t pending = 0;  // 0 = between two frames
  while (true) {
    output.make_room();
    ZSTD_outBuffer out{output.free_begin(), output.free_size(), 0};
    pending = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(pending) != 0U) return damaged("zstd", in.pos, ZSTD_getErrorName(pending));
    output.take(out.pos);
    if (!output.fits()) return too_large(bytes_max);
    // The last frame is done, or the input ran dry with room left in the output.
    if (in.pos == in.size && (pending == 0 || out.pos < out.size)) break;
  }
  if (pending != 0) return cut_off("zstd");
  return std::move(output).finish();
}

}  // namespace

Packing detect_packing(std::string_view bytes) {
  if (bytes.starts_with(kGzipMagic)) return Packing::Gzip;
  if (bytes.starts_with(kZstdMagic)) return Packing::Zstd;
  const bool is_skippable = bytes.size() >= 4 && (static_cast<unsigned char>(bytes[0]) >> 4U) == 5U;
  if (is_skippable && bytes.substr(1).starts_with(kSkippableTail)) return Packing::Zstd;
  return Packing::None;
}

Result<std::string> unpack(std::string bytes, std::size_t bytes_max) {
  switch (detect_packing(bytes)) {
    case Packing::Gzip:
      return unpack_gzip(bytes, bytes_max);
    case Packing::Zstd:
      return unpack_zstd(bytes, bytes_max);
    case Packing::None:
      break;
  }
  return bytes;
}

}  // namespace stint::codec
