#include "codec/trace/decompress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

namespace stint::codec {
namespace {

using testing::HasSubstr;

std::string gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string plain = text;
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 1));
  return packed;
}

std::string message(const base::Result<std::string>& result) {
  return result ? "no error" : result.error().message;
}

// Larger than the first output room, so that it has to grow.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 60'000; ++i) text.append(std::to_string(i)).append("\n");
  return text;
}

TEST(Unpack, LeavesPlainBytesAsTheyAre) {
  EXPECT_EQ(unpack("id,queue\n").value(), "id,queue\n");
  EXPECT_EQ(unpack("").value(), "");
}

TEST(Unpack, TellsPackingsByTheirFirstBytes) {
  EXPECT_EQ(detect_packing(gzip("a")), Packing::Gzip);
  EXPECT_EQ(detect_packing(zstd("a")), Packing::Zstd);
  EXPECT_EQ(detect_packing(std::string("\x53\x2a\x4d\x18", 4)), Packing::Zstd);
  EXPECT_EQ(detect_packing("\x1f"), Packing::None);
  EXPECT_EQ(detect_packing("; comment"), Packing::None);
}

TEST(Unpack, GivesBackWhatWasPacked) {
  const std::string text = long_text();
  EXPECT_EQ(unpack(gzip(text)).value(), text);
  EXPECT_EQ(unpack(zstd(text)).value(), text);
  EXPECT_EQ(unpack(gzip("")).value(), "");
  EXPECT_EQ(unpack(zstd("")).value(), "");
}

TEST(Unpack, JoinsAllMembersAndFrames) {
  EXPECT_EQ(unpack(gzip("one ").append(gzip("two ")).append(gzip("three"))).value(),
            "one two three");
  EXPECT_EQ(unpack(zstd("one ").append(zstd("two"))).value(), "one two");
}

TEST(Unpack, PassesOverASkippableZstdFrame) {
  const std::string skipped("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  EXPECT_EQ(unpack(std::string(skipped).append(zstd("text"))).value(), "text");
}

TEST(Unpack, AllowsZeroPaddingBehindGzip) {
  EXPECT_EQ(unpack(gzip("text").append(512, '\0')).value(), "text");
}

TEST(Unpack, RefusesOtherBytesBehindTheData) {
  EXPECT_THAT(message(unpack(gzip("text").append("more"))), HasSubstr("4 bytes follow"));
  EXPECT_THAT(message(unpack(zstd("text").append("more and more"))), HasSubstr("damaged"));
}

TEST(Unpack, RefusesEveryCutOffFile) {
  const std::string in_gzip = gzip("some text that is long enough");
  for (std::size_t size = 2; size < in_gzip.size(); ++size) {
    EXPECT_THAT(message(unpack(in_gzip.substr(0, size))), HasSubstr("ends too early")) << size;
  }
  const std::string in_zstd = zstd("some text that is long enough");
  for (std::size_t size = 4; size < in_zstd.size(); ++size) {
    EXPECT_THAT(message(unpack(in_zstd.substr(0, size))), HasSubstr("ends too early")) << size;
  }
}

TEST(Unpack, RefusesDamagedData) {
  std::string in_gzip = gzip(long_text());
  in_gzip[in_gzip.size() - 6] = static_cast<char>(in_gzip[in_gzip.size() - 6] ^ 1);  // checksum
  EXPECT_THAT(message(unpack(in_gzip)), HasSubstr("gzip data is damaged near byte"));
  std::string in_zstd = zstd(long_text());
  in_zstd[in_zstd.size() / 2] = static_cast<char>(in_zstd[in_zstd.size() / 2] ^ 0x55);
  in_zstd[10] = static_cast<char>(in_zstd[10] ^ 0x55);
  EXPECT_THAT(message(unpack(in_zstd)), HasSubstr("zstd data is damaged near byte"));
}

TEST(Unpack, KeepsTheCapToTheByte) {
  const std::string text = long_text();
  EXPECT_EQ(unpack(gzip(text), text.size()).value().size(), text.size());
  EXPECT_EQ(unpack(zstd(text), text.size()).value().size(), text.size());
  EXPECT_THAT(message(unpack(gzip(text), text.size() - 1)), HasSubstr("more than"));
  EXPECT_THAT(message(unpack(zstd(text), text.size() - 1)), HasSubstr("more than"));
}

}  // namespace
}  // namespace stint::codec
