// The report of `stint drf` as plain text and as JSON.
//
// Invariant  the same problem and options give the same bytes; lines of text end in a line feed
//            and carry no trailing blanks.
// Threads    pure.
//
//   fmt::print("{}", drf_text(problem, {.greedy = {.ties = Ties::Count}}));
#pragma once

#include <string>

#include "sim/theory/drf_problem.h"
#include "sim/theory/drf_report.h"

namespace stint::sim {

// The problem, each grant of the discrete loop, its result, the exact fluid division as fractions,
// and with a faulty tie rule the fault beside the right answer and one sentence on it.
//   Units     amounts as exact decimals (fractions where they do not end) with the resource's unit.
//   Requires  check_problem(problem), rounds >= 1.
[[nodiscard]] std::string drf_text(const DrfProblem& problem, const DrfReportOptions& options);

// The same as one JSON object, `schema: 1`, indented by two, ending in a line feed. Exact numbers
// are strings (`"54/13"`), `approx` beside them is a double; users and resources are named, not
// numbered.
//   Requires  as above.
[[nodiscard]] std::string drf_json(const DrfProblem& problem, const DrfReportOptions& options);

}  // namespace stint::sim
