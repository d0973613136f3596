#include "base/suggest.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace stint::base {

namespace {

// Longer words are not looked at: nobody mistypes them, and the table grows with the square.
constexpr std::size_t kWordMax = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool same(char a, char b) { return lower(a) == lower(b); }

// Optimal string alignment distance, three rows of the usual table.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = same(a[i - 1], b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> did_you_mean(std::string_view word,
                                        std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kWordMax) return std::nullopt;
  const std::size_t limit = std::clamp<std::size_t>(word.size() / 3, 1, 3);
  std::size_t best = limit + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : candidates) {
    const std::size_t shorter = std::min(word.size(), candidate.size());
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - shorter >= best || candidate == word) continue;
    const std::size_t slips = distance(word, candidate);
    if (slips >= best || slips >= longer) continue;
    best = slips;
    nearest = &candidate;
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

}  // namespace stint::base
