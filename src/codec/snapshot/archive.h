// Writer and Reader of the snapshot: the same field lists drive both, so they cannot drift apart.
//
// A reader never trusts the bytes: it stops at the first thing that is out of range and says so.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/int128.h"

namespace stint::codec {

class SnapshotWriter {
 public:
  static constexpr bool kReads = false;

  void raw(std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      out_.push_back(static_cast<char>((value >> (8 * i)) & 0xffU));
  }
  void length(std::size_t& size, std::size_t /*smallest*/) { raw(size, 8); }
  void text(std::string& value) {
    raw(value.size(), 8);
    out_ += value;
  }
  [[nodiscard]] static bool ok() { return true; }
  static void refuse() {}
  [[nodiscard]] std::string& bytes() { return out_; }

  template <class T>
  void number(T& value) {
    using U = std::make_unsigned_t<T>;
    raw(static_cast<U>(value), sizeof(T));
  }

 private:
  std::string out_;
};

class SnapshotReader {
 public:
  static constexpr bool kReads = true;

  explicit SnapshotReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t raw(unsigned bytes) {
    if (rest_.size() < bytes) {
      refuse();
      return 0;
    }
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
    }
    rest_.remove_prefix(bytes);
    return value;
  }
  // A length is refused if its elements, of at least `smallest` bytes each, cannot be there.
  void length(std::size_t& size, std::size_t smallest) {
    size = raw(8);
    if (size > rest_.size() / (smallest == 0 ? 1 : smallest)) {
      refuse();
      size = 0;
    }
  }
  void text(std::string& value) {
    std::size_t size = 0;
    length(size, 1);
    value.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
  }
  [[nodiscard]] bool ok() const { return ok_; }
  void refuse() { ok_ = false; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  template <class T>
  void number(T& value) {
    value = static_cast<T>(raw(sizeof(T)));
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

template <class Archive>
void flag(Archive& archive, bool& value) {
  auto byte = static_cast<std::uint8_t>(value ? 1 : 0);
  archive.number(byte);
  if (byte > 1) archive.refuse();
  value = byte == 1;
}

// An enumerator no larger than `last`.
template <class Archive, class E>
void enumerator(Archive& archive, E& value, E last) {
  auto number = static_cast<std::uint8_t>(value);
  archive.number(number);
  if (number > static_cast<std::uint8_t>(last)) archive.refuse();
  value = static_cast<E>(number);
}

template <class Archive>
void wide(Archive& archive, base::u128& value) {
  auto low = static_cast<std::uint64_t>(value);
  auto high = static_cast<std::uint64_t>(value >> 64U);
  archive.number(low);
  archive.number(high);
  value = (static_cast<base::u128>(high) << 64U) | low;
}

template <class Archive>
void wide(Archive& archive, base::i128& value) {
  auto bits = static_cast<base::u128>(value);
  wide(archive, bits);
  value = static_cast<base::i128>(bits);
}

// A list, element by element through `field(archive, element)`.
template <class Archive, class T, class Field>
void list(Archive& archive, std::vector<T>& values, std::size_t smallest, Field field) {
  std::size_t size = values.size();
  archive.length(size, smallest);
  if constexpr (Archive::kReads) values.resize(size);
  for (T& value : values) {
    field(archive, value);
    if (!archive.ok()) return;
  }
}

}  // namespace stint::codec
