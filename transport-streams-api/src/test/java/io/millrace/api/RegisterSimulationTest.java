package io.millrace.api;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.millrace.api.codec.Codec;
import io.millrace.api.codec.jackson.JacksonCodec;
import io.millrace.config.TransportSettings;
import io.millrace.testkit.sim.FaultSchedule;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.testkit.sim.junit.SimulationTest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The example of docs/simulation.md: a counter kept by three nodes, tested under faults. */
final class RegisterSimulationTest {
  private static final int NODES = 3;
  private static final int MAJORITY = 2;
  private static final long SECOND_NS = 1_000_000_000;
  private static final String SECOND_LIFE = "a write is done in the second life of its node";
  private static final String READ = "a read succeeds after a write";

  /** The application: a process with a copy of a number that only grows. */
  record Register(Transport transport, int self, AtomicLong disk) {
    private static final Codec<Long> NUMBERS = JacksonCodec.of(Long.class);
    private static final Route<Long, Long> STORE = Route.of("store", NUMBERS, NUMBERS);
    private static final Route<Long, Long> LOAD = Route.of("load", NUMBERS, NUMBERS);

    static Register start(SimNode node, TransportSettings settings, AtomicLong disk) {
      Transport transport =
          Transport.builder(SimCluster.settings(node.number(), settings))
              .environment(node.environment())
              .start();
      transport.serve(STORE, number -> completedFuture(store(disk, number)));
      transport.serve(LOAD, _ -> completedFuture(disk.get()));
      return new Register(transport, node.number(), disk);
    }

    /** Completes when a majority of the nodes keeps the number or a larger number. */
    CompletableFuture<Long> write(long number) {
      store(disk, number);
      return most(STORE, number);
    }

    /** Returns the largest number in a majority of the nodes. */
    CompletableFuture<Long> read() {
      return most(LOAD, 0).thenApply(others -> Math.max(others, disk.get()));
    }

    private CompletableFuture<Long> most(Route<Long, Long> route, long number) {
      CompletableFuture<Long> result = new CompletableFuture<>();
      AtomicInteger answers = new AtomicInteger(1);
      AtomicInteger failures = new AtomicInteger();
      AtomicLong largest = new AtomicLong(disk.get());
      for (int other = 0; other < NODES; other++) {
        if (other != self) {
          Peer peer = transport.peer(SimCluster.handshakeAddress(other));
          var _ =
              peer.unary(route, number)
                  .whenComplete(
                      (answer, failure) -> {
                        if (failure == null) {
                          store(largest, answer);
                          if (answers.incrementAndGet() == MAJORITY) {
                            result.complete(largest.get());
                          }
                        } else if (failures.incrementAndGet() > NODES - MAJORITY) {
                          result.completeExceptionally(failure);
                        }
                      });
        }
      }
      return result;
    }

    private static long store(AtomicLong into, long number) {
      return into.accumulateAndGet(number, Math::max);
    }
  }

  /** One run: three nodes, their disks, and the promises to the writers. */
  private static final class Trial {
    private final SimRun run;
    private final Register[] nodes = new Register[NODES];
    private final AtomicLong[] disks = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
    private final AtomicLong written = new AtomicLong();
    private boolean isReadAtLast;

    Trial(SimRun run) {
      this.run = run;
      run.mustReach(SECOND_LIFE, READ);
      run.network(run.swarm().network());
      run.add(NODES, this::start);
    }

    /** Starts a life of a node; the disk survives earlier lives, the memory does not. */
    private void start(SimNode node) {
      int number = node.number();
      nodes[number] = Register.start(node, run.swarm().transport(number), disks[number]);
    }

    void write(int node, long number) {
      int life = run.node(node).incarnation();
      var _ =
          nodes[node]
              .write(number)
              .thenAccept(
                  stored -> {
                    Register.store(written, number);
                    if (life > 1) {
                      run.reached(SECOND_LIFE);
                    }
                  });
    }

    void read(int node) {
      long least = written.get();
      var _ =
          nodes[node]
              .read()
              .thenAccept(
                  found -> {
                    check(found, least);
                    if (least > 0) {
                      run.reached(READ);
                    }
                  });
    }

    private void check(long found, long least) {
      if (found < least) {
        run.fail("stale read", found + " was read after " + least + " had been written");
      }
    }

    /** Writes until a write succeeds: a register that refuses all writes is never wrong. */
    void writeAtLast(long number) {
      var _ =
          nodes[0]
              .write(number)
              .whenComplete(
                  (stored, failure) -> {
                    if (failure == null) {
                      Register.store(written, number);
                    } else {
                      later(() -> writeAtLast(number));
                    }
                  });
    }

    /** Reads until a read succeeds. */
    void readAtLast() {
      long least = written.get();
      var _ =
          nodes[0]
              .read()
              .whenComplete(
                  (found, failure) -> {
                    if (failure == null) {
                      check(found, least);
                      isReadAtLast = true;
                    } else {
                      later(this::readAtLast);
                    }
                  });
    }

    private void later(Runnable step) {
      run.simulation().at(run.simulation().nowNs() + SECOND_NS / 10, step);
    }

    void close() {
      for (int node = 0; node < NODES; node++) {
        nodes[node].transport().close();
      }
      run.awaitClosed(SECOND_NS);
      run.cluster().nodes().forEach(node -> node.system().terminate());
      run.quiesce();
    }
  }

  @SimulationTest(seeds = "1..40")
  void shouldNeverReadLessThanWasWritten(SimRun run) {
    Trial trial = new Trial(run);
    new FaultSchedule(run, SECOND_NS).all();
    for (int i = 1; i <= 20; i++) {
      long number = i;
      int writer = i % NODES;
      int reader = (i + 1) % NODES;
      long atNs = i * SECOND_NS / 25;
      run.at(atNs, writer, "n" + writer + " writes " + number, () -> trial.write(writer, number));
      run.at(atNs + SECOND_NS / 50, reader, "n" + reader + " reads", () -> trial.read(reader));
    }
    run.runUntil(SECOND_NS);

    run.heal();
    trial.writeAtLast(21);
    run.within(60 * SECOND_NS, "a write succeeds", () -> trial.written.get() == 21);
    trial.readAtLast();
    run.within(60 * SECOND_NS, "a read succeeds", () -> trial.isReadAtLast);
    trial.close();
  }
}
