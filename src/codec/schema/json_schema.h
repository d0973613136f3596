// The tables as JSON Schema (draft 2020-12), so that editors complete and check our files.
//
// A schema knows less than the reader: names, sums and what needs the cluster are the reader's
// alone.
#pragma once

#include <string>

namespace stint::codec {

// The schema as indented JSON with a line feed at its end; the same bytes every time.
[[nodiscard]] std::string json_schema_config();
[[nodiscard]] std::string json_schema_scenario();

}  // namespace stint::codec
