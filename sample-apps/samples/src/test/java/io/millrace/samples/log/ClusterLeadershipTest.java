package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.millrace.samples.log.bench.ReplicaProcesses;
import io.millrace.samples.log.node.ClusterLeadership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Actor systems of this process are members of a real cluster. */
@Timeout(60)
class ClusterLeadershipTest {
  private static final String SYSTEM = "leaders";
  private static final ClusterLeadership.Patience SOON =
      new ClusterLeadership.Patience(Duration.ofMillis(100), Duration.ofSeconds(50));
  private static final ClusterLeadership.Patience SHORT =
      new ClusterLeadership.Patience(Duration.ofSeconds(50), Duration.ofSeconds(1));

  private static ActorSystem<Void> start(int self, List<String> addresses) {
    return ActorSystem.create(
        Behaviors.empty(),
        SYSTEM,
        ConfigFactory.parseString("pekko.cluster.seed-node-timeout = 500 ms")
            .withFallback(ClusterLeadership.settings(SYSTEM, self, addresses))
            .withFallback(ConfigFactory.load()));
  }

  @Test
  void shouldNameNobodyWhileMostReplicasAreNoMembers() throws Exception {
    List<String> addresses = ReplicaProcesses.freeAddresses(3);
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    BlockingQueue<Integer> ofOne = new LinkedBlockingQueue<>();
    AtomicInteger started = new AtomicInteger(1);
    ActorSystem<Void> founder = start(0, addresses);
    try (ClusterLeadership _ =
            ClusterLeadership.follow(
                founder, 0, 3, leader -> told.add(leader + " of " + started.get()));
        ClusterLeadership _ = ClusterLeadership.follow(founder, 0, 1, ofOne::add)) {
      assertEquals(0, ofOne.poll(50, TimeUnit.SECONDS), "it founded a cluster alone");

      started.incrementAndGet();
      ActorSystem<Void> second = start(1, addresses);
      try {
        assertEquals("0 of 2", told.poll(50, TimeUnit.SECONDS));
      } finally {
        second.terminate();
      }
    } finally {
      founder.terminate();
    }
  }

  /**
   * Two replicas that lost each other may be in two clusters, each whole in the view of its
   * members.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void shouldLeaveAClusterThatIsOfOneReplicaAlone(int self) throws Exception {
    ActorSystem<Void> alone = start(self, ReplicaProcesses.freeAddresses(3));
    Cluster cluster = Cluster.get(alone);
    cluster.manager().tell(Join.create(cluster.selfMember().address()));
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (ClusterLeadership _ = ClusterLeadership.follow(alone, self, 3, SOON, new Telling(told))) {
      alone.getWhenTerminated().toCompletableFuture().get(50, TimeUnit.SECONDS);
    }
    assertEquals(
        "the replica has been without a majority for 0 s: of 3 replicas [" + self + "] are members",
        told.poll());
  }

  @Test
  void shouldFoundAClusterWhereReplica0IsNot() throws Exception {
    List<String> addresses = ReplicaProcesses.freeAddresses(3);
    BlockingQueue<Integer> leaders = new LinkedBlockingQueue<>();
    ActorSystem<Void> second = start(1, addresses);
    ActorSystem<Void> third = start(2, addresses);
    try (ClusterLeadership _ = ClusterLeadership.follow(second, 1, 3, SHORT, leaders::add);
        ClusterLeadership _ = ClusterLeadership.follow(third, 2, 3, SHORT, leader -> {})) {
      assertEquals(1, leaders.poll(50, TimeUnit.SECONDS), "replica 1 founded, replica 2 joined");
    } finally {
      second.terminate();
      third.terminate();
    }
  }

  private record Telling(BlockingQueue<String> reasons) implements ClusterLeadership.Listener {
    @Override
    public void onLeader(int replica) {
      reasons.add("replica " + replica + " leads");
    }

    @Override
    public void onLeaving(String reason) {
      reasons.add(reason);
    }
  }
}
