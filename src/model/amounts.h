// A vector of amounts, one per resource of the cluster, in base units.
//
// Inline storage, of which only the part in use is ever touched: no vector operation allocates, and
// a copy costs as much as there are resources. All vectors of one cluster have the same size;
// operating on two sizes is a programmer error.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/amount.h"
#include "base/assert.h"
#include "base/ids.h"

namespace stint::model {

using base::Amount;
using base::ResourceId;

// Most resources (gpu models included) that one cluster may name; one more is refused when it is
// read.
inline constexpr std::size_t kResourcesMax = 32;

class Amounts {
 public:
  constexpr Amounts() = default;
  constexpr explicit Amounts(std::size_t resources) : size_(static_cast<std::uint32_t>(resources)) {
    STINT_ASSERT(resources <= kResourcesMax);
    std::fill_n(values_.begin(), size_, Amount{0});
  }
  constexpr Amounts(const Amounts& other) noexcept : size_(other.size_) {
    std::copy_n(other.values_.begin(), size_, values_.begin());
  }
  constexpr Amounts& operator=(const Amounts& other) noexcept {
    size_ = other.size_;
    std::copy_n(other.values_.begin(), size_, values_.begin());
    return *this;
  }
  ~Amounts() = default;

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr Amount operator[](std::size_t r) const { return values_[r]; }
  constexpr Amount& operator[](std::size_t r) { return values_[r]; }
  [[nodiscard]] constexpr Amount operator[](ResourceId r) const { return values_[r.index()]; }
  constexpr Amount& operator[](ResourceId r) { return values_[r.index()]; }

  // Appends zeros (a new resource became known) or keeps the size.
  constexpr void grow(std::size_t resources) {
    STINT_ASSERT(resources >= size_ && resources <= kResourcesMax);
    std::fill(values_.begin() + size_, values_.begin() + static_cast<std::ptrdiff_t>(resources),
              Amount{0});
    size_ = static_cast<std::uint32_t>(resources);
  }

  constexpr Amounts& operator+=(const Amounts& other) {
    STINT_ASSERT(size_ == other.size_);
    for (std::size_t r = 0; r < size_; ++r) values_[r] += other.values_[r];
    return *this;
  }
  constexpr Amounts& operator-=(const Amounts& other) {
    STINT_ASSERT(size_ == other.size_);
    for (std::size_t r = 0; r < size_; ++r) values_[r] -= other.values_[r];
    return *this;
  }
  friend constexpr Amounts operator+(Amounts a, const Amounts& b) { return a += b; }
  friend constexpr Amounts operator-(Amounts a, const Amounts& b) { return a -= b; }
  // Every amount times `factor`; the caller keeps the products below 2^62 (checked when a job is
  // read).
  friend constexpr Amounts operator*(Amounts a, std::int64_t factor) {
    for (std::size_t r = 0; r < a.size_; ++r) a.values_[r] *= factor;
    return a;
  }
  friend constexpr bool operator==(const Amounts& a, const Amounts& b) {
    return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
  }

  [[nodiscard]] constexpr bool is_zero() const {
    return std::all_of(begin(), end(), [](Amount a) { return a == 0; });
  }
  // Whether no amount is larger than the other's.
  [[nodiscard]] constexpr bool fits_in(const Amounts& other) const {
    for (std::size_t r = 0; r < size_; ++r) {
      if (values_[r] > other.values_[r]) return false;
    }
    return true;
  }

  [[nodiscard]] constexpr const Amount* begin() const { return values_.data(); }
  [[nodiscard]] constexpr const Amount* end() const { return values_.data() + size_; }

 private:
  std::uint32_t size_ = 0;
  std::array<Amount, kResourcesMax> values_;  // the first size_ are in use
};

// The larger of the two, resource by resource.
[[nodiscard]] constexpr Amounts max_each(Amounts a, const Amounts& b) {
  STINT_ASSERT(a.size() == b.size());
  for (std::size_t r = 0; r < a.size(); ++r) a[r] = std::max(a[r], b[r]);
  return a;
}

}  // namespace stint::model
