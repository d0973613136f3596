#include <algorithm>
#include <array>
#include <charconv>

#include "sim/gen/gen_write.h"

namespace stint::sim {

namespace {

void add_whole(std::int64_t value, std::string& text) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

void add_cell(std::int64_t value, std::string& text) {
  text.push_back(',');
  add_whole(value, text);
}

// Thousandths, without zeros behind the last digit.
void add_milli_cell(std::int64_t value, std::string& text) {
  add_cell(value / 1000, text);
  std::int64_t rest = value % 1000;
  if (rest == 0) return;
  text.push_back('.');
  for (std::int64_t unit = 100; rest > 0; unit /= 10) {
    text.push_back(static_cast<char>('0' + rest / unit));
    rest %= unit;
  }
}

void add_optional_cell(std::int64_t value, bool is_there, std::string& text) {
  text.push_back(',');
  if (is_there) add_whole(value, text);
}

}  // namespace

GenRows::GenRows(const GenPlan& plan) : plan_(plan) {
  const GenModel& m = plan.model;
  has_limit_ = !m.limits.empty();
  has_priority_ = m.priority_share_milli > 0;
  has_preemptible_ = m.protected_share_milli > 0;
  has_saves_ = std::max({m.saves_one_milli, m.saves_node_milli, m.saves_many_milli}) > 0;
  has_where_ = m.model_share_milli > 0;
  for (const GenShape& shape : plan.shapes) {
    has_tasks_ = has_tasks_ || shape.tasks != 1;
    has_cpu_ = has_cpu_ || shape.cpu_milli != 0;
    has_memory_ = has_memory_ || shape.memory_mib != 0;
  }
}

std::string GenRows::header() const {
  std::string text = "id,queue,user,submit_s,run_s";
  if (has_limit_) text += ",limit_s";
  if (has_tasks_) text += ",tasks";
  text += ",gpu";
  if (has_cpu_) text += ",cpu";
  if (has_memory_) text += ",memory_mib";
  if (has_priority_) text += ",priority";
  if (has_preemptible_) text += ",preemptible";
  if (has_saves_) text += ",ckpt_every_s,ckpt_takes_s,restart_s";
  if (has_where_) text += ",where";
  text.push_back('\n');
  return text;
}

void GenRows::append(const GenJob& job, std::string& text) const {
  text.push_back('j');
  add_whole(job.number, text);
  text.append(",").append(plan_.teams[job.team].path);
  text.append(",").append(plan_.users[job.user]);
  add_cell(job.submit_s, text);
  add_cell(job.run_s, text);
  if (has_limit_) add_cell(job.limit_s, text);
  if (has_tasks_) add_cell(job.shape->tasks, text);
  add_milli_cell(job.shape->gpu_milli, text);
  if (has_cpu_) add_milli_cell(job.shape->cpu_milli, text);
  if (has_memory_) add_cell(job.shape->memory_mib, text);
  if (has_priority_) add_cell(job.priority, text);
  if (has_preemptible_) text.append(job.preemptible ? ",true" : ",false");
  if (has_saves_) {
    const bool saves = job.save_every_s > 0;
    add_optional_cell(job.save_every_s, saves, text);
    add_optional_cell(job.save_takes_s, saves, text);
    add_optional_cell(job.restart_s, saves, text);
  }
  if (has_where_) {
    text.push_back(',');
    if (job.pool >= 0) {
      text.append("model=").append(plan_.nodes[static_cast<std::size_t>(job.pool)].pool.model);
    }
  }
  text.push_back('\n');
}

}  // namespace stint::sim
