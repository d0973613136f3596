#include "app/reference.h"

#include "app/console.h"
#include "app/verbs.h"

namespace stint::app {

int print_reference(const std::string& page) {
  (void)page;
  return kFailed;
}

}  // namespace stint::app
