#include "model/topology.h"

#include <gtest/gtest.h>

namespace stint::model {
namespace {

Cluster cluster_of(std::vector<std::vector<std::string>> places) {
  Cluster cluster;
  cluster.levels = {"block", "rack"};
  for (auto& place : places) {
    Node node;
    node.domains = std::move(place);
    cluster.nodes.push_back(std::move(node));
  }
  return cluster;
}

TEST(Topology, TwoBlocksMayBothHaveARackOfOneName) {
  const Topology topology(cluster_of({{"b1", "r1"}, {"b2", "r1"}, {"b1", "r1"}}));
  ASSERT_EQ(topology.at(0).size(), 2U);
  ASSERT_EQ(topology.at(1).size(), 2U);
  EXPECT_EQ(topology[topology.at(1)[0]].path, "b1/r1");
  EXPECT_EQ(topology[topology.at(1)[0]].nodes, (std::vector<NodeId>{NodeId(0U), NodeId(2U)}));
  EXPECT_EQ(topology[topology.at(1)[1]].path, "b2/r1");
  EXPECT_NE(topology.domain_of(1, NodeId(0U)), topology.domain_of(1, NodeId(1U)));
}

TEST(Topology, ANodeWithoutAPlaceStandsNowhereOnThatLevel) {
  const Topology topology(cluster_of({{"b1", ""}, {"", ""}, {"b1", "r1"}}));
  EXPECT_FALSE(topology.domain_of(1, NodeId(0U)).valid());
  EXPECT_TRUE(topology.domain_of(0, NodeId(0U)).valid());
  EXPECT_FALSE(topology.domain_of(0, NodeId(1U)).valid());
  EXPECT_EQ(topology.at(1).size(), 1U);
}

TEST(Topology, TheNodeIsTheInnermostLevelOfEveryCluster) {
  const Cluster cluster = cluster_of({{"b1", "r1"}});
  EXPECT_EQ(Topology::find_level(cluster, "block"), Level{0});
  EXPECT_EQ(Topology::find_level(cluster, "node"), Level{2});
  EXPECT_EQ(Topology(cluster).node_level(), Level{2});
  EXPECT_EQ(Topology::find_level(cluster, "row"), std::nullopt);
  EXPECT_EQ(Topology::find_level(Cluster{}, "node"), Level{0});
}

}  // namespace
}  // namespace stint::model
