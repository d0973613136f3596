#include "codec/drf/drf_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/suggest.h"
#include "codec/config/load.h"
#include "codec/schema/check.h"
#include "codec/schema/key_spec.h"
#include "codec/schema/values.h"
#include "codec/yaml/complaints.h"

namespace stint::codec {

namespace {

constexpr std::int64_t kDrfTasksMax = std::int64_t{1} << 40;

constexpr std::array<KeySpec, 4> kUserKeys = {{
    {.name = "demand", .type = Type::Amounts, .doc = "What one task asks for.", .required = true},
    {.name = "weight",
     .type = Type::Decimal,
     .doc = "How the user weighs.",
     .default_text = "1",
     .max = 100'000'000'000},
    {.name = "tasks",
     .type = Type::Integer,
     .doc = "How many tasks there are; endless if not given.",
     .max = kDrfTasksMax},
    {.name = "last_served",
     .type = Type::Integer,
     .doc = "Larger was served more recently; never served if not given.",
     .max = kDrfTasksMax},
}};
constexpr Block kDrfUser = {"drf-user", "A user of `stint drf`", "What one user asks for.",
                            kUserKeys};

constexpr std::array<KeySpec, 2> kFileKeys = {{
    {.name = "capacity",
     .type = Type::Amounts,
     .doc = "What there is to divide.",
     .required = true},
    {.name = "users",
     .type = Type::Named,
     .doc = "Who asks for it.",
     .required = true,
     .block = &kDrfUser},
}};
constexpr Block kDrfBlock = {"drf", "The file of `stint drf`", "A question for the calculator.",
                             kFileKeys};

// The amount of `resource` in a checked map; 0 if it is not named.
base::Amount amount_in(const Node& map, std::string_view resource) {
  const Node* node = find(map, resource);
  if (!node) return 0;
  const auto amount = amount_of(*node, resource, false, {});
  return amount ? amount->value : 0;
}

std::optional<std::int64_t> integer_in(const Node& user, const KeySpec& spec) {
  const Node* node = find(user, spec.name);
  if (!node) return std::nullopt;
  const auto value = integer_of(*node, spec);
  return value ? std::optional(*value) : std::nullopt;
}

void check_resources(const Node& demand, const DrfFile& file, Complaints& complaints) {
  std::vector<std::string> names;
  for (const auto& [name, amount] : file.capacity) names.push_back(name);
  for (const Key& key : demand.keys) {
    if (std::find(names.begin(), names.end(), key.text) != names.end()) continue;
    const auto near = base::did_you_mean(key.text, names);
    complaints.error(
        key.mark,
        near ? fmt::format("unknown resource \"{}\", did you mean \"{}\"?", key.text, *near)
             : fmt::format("unknown resource \"{}\": capacity does not name it", key.text));
  }
}

DrfFileUser read_user(const std::string& name, const Node& node, const DrfFile& file,
                      Complaints& complaints) {
  DrfFileUser user;
  user.name = name;
  const Node* demand = find(node, "demand", NodeKind::Map);
  if (demand) check_resources(*demand, file, complaints);
  for (const auto& [resource, amount] : file.capacity) {
    user.demand.push_back(demand ? amount_in(*demand, resource) : 0);
  }
  if (const Node* weight = find(node, "weight")) {
    if (const auto value = decimal_of(*weight, *find_key(kDrfUser, "weight"))) user.weight = *value;
  }
  user.tasks = integer_in(node, *find_key(kDrfUser, "tasks"));
  user.last_served = integer_in(node, *find_key(kDrfUser, "last_served"));
  return user;
}

}  // namespace

ReadResult<DrfFile> read_drf_file(SourceFile source) {
  Complaints complaints;
  std::vector<SourceFile> sources;
  sources.push_back(std::move(source));
  const LoadedFiles loaded = load_files(std::move(sources), {}, kDrfBlock, complaints);
  if (loaded.complete) check_required(loaded.root, kDrfBlock, complaints);
  DrfFile file;
  if (const Node* capacity = find(loaded.root, "capacity", NodeKind::Map)) {
    for (const Key& key : capacity->keys)
      file.capacity.emplace_back(key.text, amount_in(*capacity, key.text));
  }
  if (const Node* users = find(loaded.root, "users", NodeKind::Map)) {
    for (std::size_t u = 0; u < users->children.size(); ++u) {
      file.users.push_back(read_user(users->keys[u].text, users->children[u], file, complaints));
    }
  }
  ReadResult<DrfFile> result;
  if (!complaints.has_errors()) result.value = std::move(file);
  result.diagnostics = complaints.in_order(loaded.names);
  return result;
}

}  // namespace stint::codec
