package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Quorum;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import io.millrace.samples.log.node.ReplicaOptions;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.Scenario;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Commits in a second of the simulation with 3, 5 and 9 replicas on equal NICs: the cost of the
 * protocol, with a machine for each replica. Processor time is not simulated.
 */
@Tag("soak")
final class LogThroughputSoakTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long DELAY_NS = 50_000;
  private static final int SESSIONS = 64;
  private static final int VALUE_BYTES = 32;
  private static final int QUEUE_BYTES = 1 << 20;
  private static final long GIGABIT = 125_000_000; // bytes each second

  /** Replicas with a leader, and sessions beside the leader that put values one after another. */
  private static final class Load {
    private final SimRun run;
    private final int count;
    private final ReplicaNode[] replicas;
    private final Transport[] transports;
    private long commits;

    Load(SimRun run, int count, long bytesPerSecond) {
      this.run = run;
      this.count = count;
      replicas = new ReplicaNode[count];
      transports = new Transport[count];
      RateSettings rate = RateSettings.of(bytesPerSecond, QUEUE_BYTES);
      run.network(NetworkSettings.clean(DELAY_NS).withNic(new NicSettings(rate, rate)));
      run.add(count, this::start);
    }

    private List<String> members() {
      List<String> members = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        members.add(SimCluster.handshakeAddress(i));
      }
      return members;
    }

    private void start(SimNode node) {
      int number = node.number();
      transports[number] =
          Transport.builder(SimCluster.settings(number, TransportSettings.parse("")))
              .environment(node.environment())
              .start();
      replicas[number] =
          ReplicaNode.start(
              transports[number],
              node.system(),
              ReplicaOptions.of(number, members()).withQuorum(Quorum.majority(count)),
              new SimulatedDisk(run, number).open(node));
      replicas[number].lead(0);
    }

    private void next(LogClient session, ByteString key, ByteString value) {
      var _ =
          session
              .execute(Operation.put(key, value))
              .thenAccept(
                  result -> {
                    commits++;
                    run.onProgress();
                    next(session, key, value);
                  });
    }

    long commitsInASecond() {
      ByteString value = ByteString.fromArrayUnsafe(new byte[VALUE_BYTES]);
      for (int i = 0; i < SESSIONS; i++) {
        LogClient session =
            LogClient.beside(replicas[0], transports[0], run.node(0).system(), members());
        next(session, ByteString.fromString("key-" + i), value);
      }
      run.runUntil(SECOND_NS);
      long before = commits;
      run.runUntil(2 * SECOND_NS);
      return commits - before;
    }
  }

  private static long commits(int count, long bytesPerSecond) throws InterruptedException {
    AtomicLong commits = new AtomicLong();
    Scenario load = run -> commits.set(new Load(run, count, bytesPerSecond).commitsInASecond());
    assertNull(new SimRunner(load, 1).run(RunSettings.of(1)).violation());
    System.out.printf(
        "%d replicas, %,d B/s: %,d commits/s%n", count, bytesPerSecond, commits.get());
    return commits.get();
  }

  /** At 1 Gbit/s the leader's link limits the commits: it carries eight copies in place of two. */
  @Test
  void shouldHardlyFallFromThreeToNine() throws InterruptedException {
    long three = commits(3, 10 * GIGABIT);
    assertTrue(three > 0);
    assertTrue(commits(5, 10 * GIGABIT) >= 0.9 * three);
    assertTrue(commits(9, 10 * GIGABIT) >= 0.9 * three);
    long threeSlow = commits(3, GIGABIT);
    assertTrue(commits(9, GIGABIT) >= 0.8 * threeSlow);
  }
}
