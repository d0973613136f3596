#include "codec/trace/csv_columns.h"

#include <array>

#include "codec/trace/csv.h"

namespace stint::codec {

namespace {
constexpr std::array<CsvColumn, kColumnCount> kColumns{{
    {"id", true, "name of the job, unique in the file"},
    {"queue", true, "queue of the tree, a path such as vision/train"},
    {"user", true, "who submitted it"},
    {"submit_s", true, "submit time in seconds"},
    {"run_s", true, "true length of the work in seconds, above 0"},
    {"limit_s", false, "time limit in seconds, default none"},
    {"tasks", false, "tasks that start together, default 1"},
    {"gpu", false, "GPUs per task, default 0"},
    {"cpu", false, "CPUs per task, default 0"},
    {"memory_mib", false, "memory per task in MiB, default 0"},
    {"priority", false, "priority among the jobs of its user, default 0"},
    {"preemptible", false, "true or false, default true"},
    {"ckpt_every_s", false, "seconds of work between two saves, default: saves nothing"},
    {"ckpt_takes_s", false, "seconds that a save takes, default 0"},
    {"restart_s", false,
     "seconds that every run but the first spends on starting again, default 0"},
    {"together", false, "level of the topology that must hold all tasks, default none"},
    {"where", false, "labels a node must have, label=value;label=value, default none"},
    {"after", false, "ids of jobs that must end first, id;id, default none"},
    {"patience_s", false, "seconds after which it leaves if it has not started, default never"},
}};
}  // namespace

std::span<const CsvColumn> csv_columns() { return kColumns; }

}  // namespace stint::codec
