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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actor systems of this process are members of a real cluster. */
@Timeout(60)
class ClusterLeadershipTest {
  private static final String SYSTEM = "leaders";

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
                founder, 3, leader -> told.add(leader + " of " + started.get()));
        ClusterLeadership _ = ClusterLeadership.follow(founder, 1, ofOne::add)) {
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

  @Test
  void shouldLeaveAClusterThatIsOfTheFounderAlone() throws Exception {
    ActorSystem<Void> founder = start(0, ReplicaProcesses.freeAddresses(3));
    try (ClusterLeadership _ =
        ClusterLeadership.follow(founder, 3, Duration.ofMillis(100), leader -> {})) {
      founder.getWhenTerminated().toCompletableFuture().get(50, TimeUnit.SECONDS);
    }
  }
}
