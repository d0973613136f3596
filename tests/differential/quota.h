// What may start at all (DESIGN §5.1, §5.3, §5.8): limits, the own part of protected work, lending.
#pragma once

#include <utility>
#include <vector>

#include "scene.h"

namespace stint::differential {

// One resource of a queue's limit or own part, or of one user's limit below the queue.
struct Scope {
  QueueId queue;
  UserId user;  // none: everybody
  std::size_t r = 0;
};

inline constexpr Millis kEverybody = -1;  // nobody has gone yet

class Quota {
 public:
  explicit Quota(const Scene& scene) : scene_(scene), tree_(scene.state.tree) {}

  // Limits above the job that it would exceed, once all are gone who by their own limits end by
  // then.
  [[nodiscard]] std::vector<Scope> reached_limits(JobId job, Millis gone_by) const;
  // Where protected work would leave its own part, likewise.
  [[nodiscard]] std::vector<Scope> outside_own_part(JobId job, Millis gone_by) const;
  // The nearest queue with a guarantee for the job, and its child on the way there; none if none.
  [[nodiscard]] std::pair<QueueId, QueueId> own_part(JobId job) const;
  [[nodiscard]] bool covers(const Scope& scope, const model::JobAsk& spec) const;
  // What must stay free because queues beside the job's path do not lend it.
  [[nodiscard]] Amounts kept_back(JobId job) const;
  // How much of each gpu model the job's tasks may still get.
  [[nodiscard]] Amounts model_room(JobId job, const Amounts& kept) const;

 private:
  [[nodiscard]] Amount held(const Scope& scope, bool only_protected, Millis gone_by) const;
  [[nodiscard]] std::vector<std::pair<Scope, Amount>> limits_of(JobId job) const;
  [[nodiscard]] Amounts kept_below(QueueId q) const;

  const Scene& scene_;
  const model::Tree& tree_;
};

}  // namespace stint::differential
