// Strong ids: dense indexes into the flat vectors of State, one type per kind of thing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace stint::base {

// An index that cannot be mixed up with another kind's. Default-constructed it names nothing.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t index) : value(index) {}
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}

  [[nodiscard]] constexpr bool valid() const { return value != kNone; }
  [[nodiscard]] constexpr std::size_t index() const { return value; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using ResourceId = Id<struct ResourceTag>;
using NodeId = Id<struct NodeTag>;
using QueueId = Id<struct QueueTag>;
using UserId = Id<struct UserTag>;
using JobId = Id<struct JobTag>;
using ShapeId = Id<struct ShapeTag>;
using LabelId = Id<struct LabelTag>;
using DomainId = Id<struct DomainTag>;  // of the topology
using TenantId = Id<struct TenantTag>;  // a user inside one queue

}  // namespace stint::base
