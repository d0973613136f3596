// A running 64-bit digest: the same sequence of values gives the same number everywhere.
//
// Not cryptographic; it notices differences between replays, compilers and machines (DESIGN §3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stint::base {

class Digest {
 public:
  // Mixes one value (splitmix64's finaliser, Steele et al. 2014) into the running state.
  constexpr void add(std::uint64_t value) {
    std::uint64_t z = state_ ^ (value + 0x9e3779b97f4a7c15U + (state_ << 6U) + (state_ >> 2U));
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    state_ = z ^ (z >> 31U);
  }
  constexpr void add_signed(std::int64_t value) { add(static_cast<std::uint64_t>(value)); }
  void add_text(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  [[nodiscard]] constexpr std::uint64_t value() const { return state_; }
  // 16 hexadecimal digits.
  [[nodiscard]] std::string hex() const;
  // Continues a digest that a snapshot kept.
  static constexpr Digest resume(std::uint64_t value) {
    Digest d;
    d.state_ = value;
    return d;
  }

 private:
  std::uint64_t state_ = 0x5374696e74313031U;
};

}  // namespace stint::base
