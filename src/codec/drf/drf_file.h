// The file of `stint drf`: what there is, and what one task of each user asks for.
//
//   capacity: {cpu: 9, memory: 18Gi}
//   users:
//     a: {demand: {cpu: 1, memory: 4Gi}}
//     b: {demand: {cpu: 3, memory: 1Gi}, weight: 2, tasks: 5, last_served: 1}
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/amount.h"
#include "codec/config/config.h"

namespace stint::codec {

struct DrfFileUser {
  std::string name;
  std::vector<base::Amount> demand;  // per resource of the capacity, base units
  std::int64_t weight = 1000;        // thousandths
  std::optional<std::int64_t> tasks;
  std::optional<std::int64_t> last_served;
};

struct DrfFile {
  std::vector<std::pair<std::string, base::Amount>> capacity;  // in file order
  std::vector<DrfFileUser> users;                              // in file order
};

// Strict like every file of ours: all errors at once, unknown keys refused with a suggestion.
[[nodiscard]] ReadResult<DrfFile> read_drf_file(SourceFile file);

}  // namespace stint::codec
