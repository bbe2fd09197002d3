package io.millrace.samples.log;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.node.Identities;
import io.millrace.samples.log.node.LogClient;
import io.millrace.samples.log.node.ReplicaNode;
import io.millrace.samples.log.node.ReplicaNode.Contents;
import io.millrace.samples.log.node.ReplicaNode.Storage;
import io.millrace.samples.log.node.ReplicaOptions;
import io.millrace.testkit.internal.scenario.RunSettings;
import io.millrace.testkit.internal.scenario.SimRunner;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three replicas in a simulation; a replica loses its disk. Only the identities of the directories
 * are in real files.
 */
final class LostDirectoryTest {
  private static final long SECOND_NS = 1_000_000_000;
  private static final long DELAY_NS = 50_000;
  private static final int REPLICAS = 3;
  private static final int LOST = 2;
  private static final int PUTS = 20;

  @TempDir private Path folder;

  /** A run of the test. */
  private final class Trial {
    private final SimRun run;
    private final ReplicaNode[] replicas = new ReplicaNode[REPLICAS];
    private final Transport[] transports = new Transport[REPLICAS];
    private final SimulatedDisk[] disks = new SimulatedDisk[REPLICAS];
    private final Path[] directories = new Path[REPLICAS];
    private boolean isReplacing;

    Trial(SimRun run) {
      this.run = run;
      for (int i = 0; i < REPLICAS; i++) {
        disks[i] = new SimulatedDisk(run, i);
        directories[i] = folder.resolve(String.valueOf(i));
      }
      run.network(NetworkSettings.clean(DELAY_NS));
      run.add(REPLICAS, this::start);
    }

    private List<String> members() {
      List<String> members = new ArrayList<>();
      for (int i = 0; i < REPLICAS; i++) {
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
      try {
        boolean isEmpty = Files.createDirectories(directories[number]).toFile().list().length == 0;
        replicas[number] =
            ReplicaNode.start(
                transports[number],
                node.system(),
                ReplicaOptions.of(number, members()).withCheckpoints(8, 2),
                new Storage(
                    disks[number].open(node),
                    Identities.open(directories[number], isEmpty),
                    number == LOST && isReplacing));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      replicas[number].lead(0);
    }

    private void put(int from, int count) {
      for (int i = from; i < from + count; i++) {
        CompletableFuture<Result> done =
            LogClient.beside(replicas[0], transports[0], run.node(0).system(), members())
                .execute(Operation.put(ByteString.fromString("k" + i), value(i)));
        run.within(10 * SECOND_NS, "put " + i, done::isDone);
      }
    }

    private static ByteString value(int number) {
      return ByteString.fromString("v" + number);
    }

    private boolean takesPart(int replica) {
      var status = replicas[replica].status();
      run.within(SECOND_NS, "status", status::isDone);
      return status.join().trouble().isEmpty();
    }

    private Contents contents(int replica) {
      CompletableFuture<Contents> asked = replicas[replica].contents();
      run.within(SECOND_NS, "contents", asked::isDone);
      return asked.join();
    }

    void lose() {
      run.crash(LOST);
      disks[LOST] = new SimulatedDisk(run, LOST);
      directories[LOST] = folder.resolve("empty");
      run.boot(LOST);
    }

    void replace() {
      run.crash(LOST);
      isReplacing = true;
      run.boot(LOST);
    }

    /** Without the lost replica, the knowledge of each other replica is needed. */
    void check() {
      run.within(10 * SECOND_NS, "all take part", () -> takesPart(LOST));
      put(0, PUTS);
      lose();
      run.within(10 * SECOND_NS, "a refusal", () -> replicas[LOST].refusal().isDone());
      require(!takesPart(LOST), "a refused replica takes no part");
      run.crash(1);
      replace();
      run.runUntil(run.simulation().nowNs() + 2 * SECOND_NS);
      require(!takesPart(LOST), "a replacement waits for all others");
      run.boot(1);
      run.within(10 * SECOND_NS, "a replacement", () -> takesPart(LOST));
      Contents all = contents(LOST);
      require(all.values().size() == PUTS, "a replacement has learnt all: " + all);
      run.crash(1);
      put(PUTS, 1);
      run.boot(1);
      close();
    }

    private void require(boolean holds, String what) {
      if (!holds) {
        run.fail("lost directory", what);
      }
    }

    private void close() {
      for (int i = 0; i < REPLICAS; i++) {
        replicas[i].close();
        transports[i].close();
      }
      run.awaitClosed(SECOND_NS);
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
    }
  }

  @Test
  void shouldTakePartAgainOnlyAsAReplacementThatHasLearntAll() throws InterruptedException {
    assertNull(new SimRunner(run -> new Trial(run).check(), 1).run(RunSettings.of(1)).violation());
  }
}
