// Reads the text of one parameter into the model. Internal to sim/gen.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sim/gen/gen_params.h"

namespace stint::sim {

// Reads `text` in the form of `param` and stores it in its member of `model`.
//   Errors  malformed, out of range, quantiles or limits that do not rise; `model` is then as it
//           was. The message names the form with an example.
[[nodiscard]] base::Result<void> read_gen_value(const GenParam& param, std::string_view text,
                                                GenModel& model);

}  // namespace stint::sim
