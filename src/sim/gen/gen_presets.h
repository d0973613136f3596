// The ready-made workloads: each is a list of values of gen_params.h.
//
// Threads  constant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sim/gen/gen_params.h"

namespace stint::sim {

using GenValue = std::pair<std::string_view, std::string_view>;  // key, value

struct GenPreset {
  std::string_view name;
  std::string_view imitates;  // one phrase
  std::span<const GenValue> values;
};

[[nodiscard]] std::span<const GenPreset> gen_presets();

// Settings of that preset.
//   Errors  an unknown name, with the nearest one.
[[nodiscard]] base::Result<GenSettings> gen_settings(std::string_view preset);

}  // namespace stint::sim
