#include "app/reference.h"

#include "app/console.h"
#include "app/verbs.h"
#include "base/assert.h"
#include "codec/schema/json_schema.h"
#include "codec/schema/reference.h"
#include "sim/gen/gen_show.h"

namespace stint::app {

int print_reference(const std::string& page) {
  if (page == "config") {
    print(codec::reference_markdown());
  } else if (page == "config-schema") {
    print(codec::json_schema_config());
  } else if (page == "gen") {
    print(sim::gen_reference_markdown());
  } else {
    STINT_ASSERT(page == "scenario-schema");
    print(codec::json_schema_scenario());
  }
  return kOk;
}

}  // namespace stint::app
