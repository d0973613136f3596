#include "model/guarantees.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace stint::model {
namespace {

// A cluster of gpu 16, cpu 64, memory 1024, gpu/h100 8, gpu/a100 8, and queues as a test names
// them.
class GuaranteesTest : public ::testing::Test {
 protected:
  GuaranteesTest() : capacity_(5), tree_(empty_tree(5)), requests_(1) {
    const std::vector<std::pair<std::string, Amount>> all = {
        {"gpu", 16}, {"cpu", 64}, {"memory", 1024}, {"gpu/h100", 8}, {"gpu/a100", 8}};
    for (const auto& [name, amount] : all) capacity_[resources_.intern(name)] = amount;
  }

  QueueId add(QueueId parent, std::string_view name) {
    requests_.emplace_back();
    return add_queue(tree_, parent, name, capacity_.size());
  }
  QueueId add(QueueId parent, std::string_view name,
              const std::vector<std::pair<std::string, Amount>>& named) {
    const QueueId id = add(parent, name);
    requests_.back().written = true;
    requests_.back().entries.resize(capacity_.size());
    for (const auto& [resource, amount] : named) {
      entry(id, resource) = {GuaranteeEntry::Kind::Absolute, amount};
    }
    return id;
  }
  GuaranteeEntry& entry(QueueId id, std::string_view resource) {
    return requests_[id.index()].entries[resources_.find(resource)->index()];
  }
  void percent(QueueId id, std::string_view resource, std::int64_t whole_percent) {
    entry(id, resource) = {GuaranteeEntry::Kind::Percent, whole_percent * 1000};
  }
  std::vector<GuaranteeProblem> resolve() {
    return resolve_guarantees(tree_, requests_, resources_, capacity_);
  }
  [[nodiscard]] Amount of(QueueId id, std::string_view resource) const {
    return tree_[id].guarantee[*resources_.find(resource)];
  }
  [[nodiscard]] bool counts(QueueId id, std::string_view resource) const {
    return tree_[id].counts[resources_.find(resource)->index()];
  }

  Resources resources_;
  Amounts capacity_;
  Tree tree_;
  std::vector<GuaranteeRequest> requests_;
};

TEST_F(GuaranteesTest, HalfTheGpusBringHalfOfTheRest) {
  const QueueId q = add(Tree::root(), "q", {{"gpu", 8}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "gpu"), 8);
  EXPECT_EQ(of(q, "cpu"), 32);
  EXPECT_EQ(of(q, "memory"), 512);
}

TEST_F(GuaranteesTest, TheLargestNamedFractionImpliesAndIsRoundedDown) {
  const QueueId q = add(Tree::root(), "q", {{"gpu", 1}, {"cpu", 5}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "memory"), 80);  // 5/64 of 1024, more than 1/16
  const QueueId third = add(Tree::root(), "third", {{"memory", 341}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(third, "gpu"), 5);   // 16 * 341 / 1024 = 5.3
  EXPECT_EQ(of(third, "cpu"), 21);  // 64 * 341 / 1024 = 21.3
}

TEST_F(GuaranteesTest, ZeroNamedMeansNone) {
  const QueueId q = add(Tree::root(), "q", {{"gpu", 8}, {"cpu", 0}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "cpu"), 0);
  EXPECT_EQ(of(q, "memory"), 512);
}

TEST_F(GuaranteesTest, ImpliedPartsGiveWayToNamedOnes) {
  const QueueId a = add(Tree::root(), "a", {{"gpu", 12}});
  const QueueId b = add(Tree::root(), "b", {{"cpu", 40}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(a, "gpu"), 12);
  EXPECT_EQ(of(a, "cpu"), 24);  // 48 implied, 64 - 40 left
  EXPECT_EQ(of(b, "cpu"), 40);
  EXPECT_EQ(of(b, "gpu"), 4);  // 10 implied, 16 - 12 left
}

TEST_F(GuaranteesTest, ImpliedPartsThatDoNotFitTogetherAreScaledInProportion) {
  add(Tree::root(), "named", {{"gpu", 0}, {"cpu", 48}, {"memory", 0}});
  const QueueId a = add(Tree::root(), "a", {{"gpu", 12}});
  const QueueId b = add(Tree::root(), "b", {{"gpu", 4}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(a, "cpu"), 12);  // 48 and 16 implied, 16 left
  EXPECT_EQ(of(b, "cpu"), 4);
}

TEST_F(GuaranteesTest, APercentageIsOfTheParentsGuaranteeAndOfTheClusterForRoots) {
  const QueueId p = add(Tree::root(), "p", {});
  percent(p, "gpu", 50);
  const QueueId c = add(p, "c", {});
  percent(c, "gpu", 25);
  percent(c, "cpu", 50);
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(p, "gpu"), 8);
  EXPECT_EQ(of(c, "gpu"), 2);
  EXPECT_EQ(of(c, "cpu"), 16);  // of the 32 that came along
}

TEST_F(GuaranteesTest, APercentageNeverRoundsToZeroSilently) {
  const QueueId q = add(Tree::root(), "q", {});
  percent(q, "gpu", 5);
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::PercentRoundsToZero);
  EXPECT_EQ(problems[0].asked, 5000);
  EXPECT_EQ(problems[0].available, 16);
}

TEST_F(GuaranteesTest, ZeroPercentIsLegal) {
  const QueueId q = add(Tree::root(), "q", {});
  percent(q, "gpu", 0);
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "gpu"), 0);
}

TEST_F(GuaranteesTest, APercentageBelowAParentWithoutAGuaranteeIsRefused) {
  const QueueId p = add(Tree::root(), "p");
  const QueueId c = add(p, "c", {});
  percent(c, "gpu", 50);
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::PercentOfNothing);
  EXPECT_EQ(problems[0].queue, c);
}

TEST_F(GuaranteesTest, ChildrenAboveTheirParentAreAProblemOfTheParent) {
  const QueueId p = add(Tree::root(), "p", {{"gpu", 8}});
  add(p, "a", {{"gpu", 6}});
  const QueueId inner = add(p, "inner");
  add(inner, "b", {{"gpu", 6}});
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::ChildrenAboveParent);
  EXPECT_EQ(problems[0].queue, p);
  EXPECT_EQ(problems[0].asked, 12);
  EXPECT_EQ(problems[0].available, 8);
}

TEST_F(GuaranteesTest, RootsAboveTheClusterAreAProblemOfTheRoot) {
  add(Tree::root(), "a", {{"cpu", 40}});
  add(Tree::root(), "b", {{"cpu", 40}});
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::RootsAboveCluster);
  EXPECT_EQ(problems[0].asked, 80);
  EXPECT_EQ(problems[0].available, 64);
}

TEST_F(GuaranteesTest, WithoutAGuaranteeAnInnerQueueHasTheSumOfItsChildrens) {
  const QueueId p = add(Tree::root(), "p");
  const QueueId a = add(p, "a", {{"gpu", 2}});
  add(p, "b", {{"gpu", 3}});
  const QueueId leaf = add(p, "leaf");
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(p, "gpu"), 5);
  EXPECT_EQ(of(p, "cpu"), 20);
  EXPECT_EQ(of(a, "cpu"), 8);
  EXPECT_EQ(of(leaf, "gpu"), 0);
}

TEST_F(GuaranteesTest, AQueueWithoutAGuaranteeSharesItsScaledPartOut) {
  const QueueId p = add(Tree::root(), "p");
  const QueueId a = add(p, "a", {{"gpu", 8}});
  const QueueId b = add(p, "b", {{"gpu", 4}});
  const QueueId named = add(Tree::root(), "named", {{"gpu", 0}, {"cpu", 58}, {"memory", 0}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(a, "cpu"), 4);  // 32 and 16 implied, 6 left
  EXPECT_EQ(of(b, "cpu"), 2);
  EXPECT_EQ(of(p, "cpu"), 6);
  EXPECT_EQ(of(named, "cpu"), 58);
}

TEST_F(GuaranteesTest, ScalingNeverTakesAParentBelowWhatItsChildrenName) {
  const QueueId p = add(Tree::root(), "p", {{"gpu", 8}});
  const QueueId c = add(p, "c", {{"gpu", 0}, {"cpu", 20}});
  const QueueId other = add(Tree::root(), "other", {{"gpu", 0}, {"cpu", 40}, {"memory", 0}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(p, "cpu"), 24);  // 32 implied, 24 left
  EXPECT_EQ(of(c, "cpu"), 20);
  EXPECT_EQ(of(other, "cpu"), 40);
}

TEST_F(GuaranteesTest, NamedByAChildIsAsFirmAsNamedByTheParent) {
  const QueueId p = add(Tree::root(), "p", {{"gpu", 8}});
  add(p, "c", {{"gpu", 0}, {"cpu", 30}});
  add(Tree::root(), "other", {{"cpu", 40}});
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::RootsAboveCluster);
  EXPECT_EQ(problems[0].asked, 70);
}

TEST_F(GuaranteesTest, AChildIsHeldAgainstWhatItsParentHasImplied) {
  const QueueId p = add(Tree::root(), "p", {{"gpu", 8}});
  add(p, "c", {{"gpu", 0}, {"cpu", 33}});
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::ChildrenAboveParent);
  EXPECT_EQ(problems[0].available, 32);
}

TEST_F(GuaranteesTest, NamingModelsImpliesTheirSumAndNothingOfTheOthers) {
  const QueueId q = add(Tree::root(), "q", {{"gpu/h100", 8}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "gpu"), 8);
  EXPECT_EQ(of(q, "gpu/h100"), 8);
  EXPECT_EQ(of(q, "gpu/a100"), 0);
  EXPECT_TRUE(counts(q, "gpu/a100"));
  EXPECT_EQ(of(q, "cpu"), 32);  // half of all GPUs, not all of the h100
}

TEST_F(GuaranteesTest, WhereNoModelIsNamedGpuAloneCounts) {
  const QueueId q = add(Tree::root(), "q", {{"gpu", 8}});
  const QueueId none = add(Tree::root(), "none");
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "gpu/h100"), 0);
  EXPECT_FALSE(counts(q, "gpu/h100"));
  EXPECT_FALSE(counts(none, "gpu/h100"));
  EXPECT_TRUE(counts(q, "gpu"));
  EXPECT_TRUE(counts(q, "cpu"));
}

TEST_F(GuaranteesTest, ModelsAreHeldAgainstTheNextQueueAboveThatCountsThem) {
  const QueueId p = add(Tree::root(), "p", {{"gpu", 16}});
  const QueueId a = add(p, "a", {{"gpu/h100", 5}});
  const QueueId b = add(p, "b", {{"gpu/h100", 3}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(a, "gpu/h100"), 5);
  EXPECT_EQ(of(b, "gpu/h100"), 3);
  EXPECT_EQ(of(p, "gpu/h100"), 0);
  EXPECT_FALSE(counts(p, "gpu/h100"));
  entry(b, "gpu/h100").value = 4;
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::RootsAboveCluster);
  EXPECT_EQ(resources_.name(problems[0].resource), "gpu/h100");
}

TEST_F(GuaranteesTest, AQueueWithoutAGuaranteeCountsAModelIfAllChildrenWithGpusDo) {
  const QueueId p = add(Tree::root(), "p");
  add(p, "a", {{"gpu/h100", 2}});
  const QueueId b = add(p, "b");
  EXPECT_TRUE(resolve().empty());
  EXPECT_TRUE(counts(p, "gpu/h100"));
  EXPECT_EQ(of(p, "gpu/h100"), 2);
  requests_[b.index()] = requests_[1 + p.index()];
  entry(b, "gpu/h100") = {};
  entry(b, "gpu") = {GuaranteeEntry::Kind::Absolute, 4};
  EXPECT_TRUE(resolve().empty());
  EXPECT_FALSE(counts(p, "gpu/h100"));
  EXPECT_EQ(of(p, "gpu/h100"), 0);
  EXPECT_EQ(of(p, "gpu"), 6);
}

TEST_F(GuaranteesTest, ModelsAboveTheGpusNamedBesideThemAreRefused) {
  add(Tree::root(), "q", {{"gpu", 4}, {"gpu/h100", 3}, {"gpu/a100", 2}});
  const auto problems = resolve();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].fault, GuaranteeFault::ModelsAboveGpu);
  EXPECT_EQ(problems[0].asked, 5);
}

TEST_F(GuaranteesTest, HugeAmountsAreExact) {
  constexpr Amount kHuge = Amount{1} << 44;
  capacity_[0] = kHuge;
  capacity_[1] = kHuge;
  const QueueId q = add(Tree::root(), "q", {{"gpu", kHuge - 1}});
  EXPECT_TRUE(resolve().empty());
  EXPECT_EQ(of(q, "cpu"), kHuge - 1);
  EXPECT_EQ(percent_of(50'000, kHuge), kHuge / 2);
}

}  // namespace
}  // namespace stint::model
