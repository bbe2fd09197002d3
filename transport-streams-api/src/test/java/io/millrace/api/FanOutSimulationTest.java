package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.net.NetworkCounters;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.LinkSettings;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.testkit.sim.NicSettings;
import io.millrace.testkit.sim.NodeSettings;
import io.millrace.testkit.sim.RateSettings;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.wire.RouteId;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fan-outs that repeat, through a slow link with a short queue: the caller foresees the answers and
 * sends their grants with the requests, rule C-10. Under virtual time.
 */
final class FanOutSimulationTest {
  private static final RouteId SOURCE = RouteId.of("source");
  private static final int DATAGRAM = 8_972;
  private static final int DIALS_AT_ONCE = 20;
  private static final long SECOND_NS = 1_000_000_000;
  private static final long PAUSE_NS = 50_000_000;
  private static final int QUEUE = 64 << 10;
  private static final long BITS_PER_SECOND = 100_000_000;

  /** Peers, bytes of an answer, one-way delay. */
  static Stream<Shape> shapes() {
    return Stream.of(60, 300)
        .flatMap(
            peers ->
                Stream.of(1, 4, 8, 16)
                    .flatMap(
                        kilobytes ->
                            Stream.of(50_000, 1_000_000)
                                .map(delay -> new Shape(peers, kilobytes << 10, delay))));
  }

  /** Prints fan-outs with and without forecasts, and with answers that are foreseen wrong. */
  @Tag("soak")
  @Timeout(1_800)
  @ParameterizedTest
  @MethodSource("shapes")
  void shouldCompareForecasts(Shape shape) throws Exception {
    for (double factor : new double[] {1, 0.5, 2}) {
      int last = (int) (shape.bytes() * factor);
      int[] bytes = {shape.bytes(), shape.bytes(), shape.bytes(), last};
      List<Round> off = run(shape, false, bytes);
      List<Round> on = run(shape, true, bytes);
      System.out.println(shape + ", last x " + factor + ": off " + off + ", on " + on);
    }
  }

  /**
   * The first fan-out teaches. The last answer of a fan-out that is foreseen wrong by a factor of
   * two, either way, comes at most a round trip through the full queue later than without a
   * forecast.
   */
  @Test
  void shouldForeseeAnswersAndLoseARoundTripWhereForeseenWrong() throws Exception {
    // rule C-10
    Shape shape = new Shape(20, 4 << 10, 500_000);
    List<Round> off = run(shape, false, 4 << 10, 8 << 10, 4 << 10);
    List<Round> on = run(shape, true, 4 << 10, 4 << 10, 8 << 10, 8 << 10, 4 << 10);

    String both = "off " + off + ", on " + on;
    long roundTripNs = 2 * shape.delayNs() + QUEUE * Byte.SIZE * SECOND_NS / BITS_PER_SECOND;
    assertEquals(0, on.stream().mapToLong(Round::lost).sum(), both);
    assertTrue(on.get(1).lastNs() < on.get(0).lastNs(), both);
    assertTrue(on.get(1).packets() < 0.6 * on.get(0).packets(), both);
    assertTrue(on.get(2).lastNs() <= off.get(1).lastNs() + roundTripNs, both);
    assertTrue(on.get(4).lastNs() <= off.get(2).lastNs() + roundTripNs, both);
  }

  /** Runs fan-outs with answers of these lengths, one after the other. */
  private static List<Round> run(Shape shape, boolean isForeseen, int... bytes) throws Exception {
    return SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(1)) {
            FanOut fanOut = new FanOut(simulation, shape, isForeseen);
            return Arrays.stream(bytes).mapToObj(fanOut::run).toList();
          }
        });
  }

  /**
   * A fan-out.
   *
   * @param delayNs one way
   */
  record Shape(int peers, int bytes, long delayNs) {
    int transfers() {
      return 2 * peers;
    }
  }

  /**
   * The result of one fan-out.
   *
   * @param lastNs the time of the last answer
   * @param overIdeal this time by the time of the payload on the link
   * @param packets sent by all nodes, for each transfer
   * @param lost datagrams
   */
  record Round(long lastNs, double overIdeal, double packets, long lost) {
    @Override
    public String toString() {
      return "%d us, %.3f of ideal, %.2f packets, %d lost"
          .formatted(lastNs / 1000, overIdeal, packets, lost);
    }
  }

  /** Fan-outs in a simulation of their own. */
  private static final class FanOut {
    private final Simulation simulation;
    private final Shape shape;
    private final FullCluster cluster;
    private final Transport[] nodes;
    private int answerBytes;
    private int done;
    private long lastNs;

    FanOut(Simulation simulation, Shape shape, boolean isForeseen) {
      this.simulation = simulation;
      this.shape = shape;
      RateSettings rate = RateSettings.of(BITS_PER_SECOND / Byte.SIZE, QUEUE);
      NetworkSettings network =
          NetworkSettings.clean(shape.delayNs())
              .withNic(new NicSettings(RateSettings.UNLIMITED, rate));
      LinkSettings link = network.link().withMtu(DATAGRAM, true);
      cluster = new FullCluster(simulation, network.withLink(link), null);
      nodes = new Transport[shape.peers() + 1];
      cluster.add(nodes.length, NodeSettings.DEFAULT);
      for (int i = 0; i < nodes.length; i++) {
        start(cluster.node(i), i == 0 ? caller(isForeseen) : peer());
      }
      warmUp();
    }

    private void start(FullNode node, String settings) {
      node.boot();
      Transport transport =
          Transport.builder(
                  SimCluster.settings(node.number(), SimTransportSettings.parse(settings)))
              .environment(node.environment())
              .start();
      Raw.serve(
          transport,
          SOURCE,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(new byte[answerBytes])));
      nodes[node.number()] = transport;
    }

    private String peer() {
      return """
      millrace.limits { inline-budget = 8 MiB }
      millrace.nic.max-datagram = %d
      millrace.regions { sizes = [64 KiB], counts = [2], per-peer = 64 KiB, grant-budget = 64 KiB }
      """
          .formatted(DATAGRAM);
    }

    private String caller(boolean isForeseen) {
      return """
      millrace.nic { max-datagram = %d, send-buffers = 256, answer-forecast = %s }
      millrace.limits { peers = 400, inline-budget = 64 MiB, inline-credit = 1 MiB }
      millrace.limits { waiting-calls = 65536, executor-queue = 65536, answer-budget = 1 GiB }
      millrace.workers.submission-depth = 65536
      millrace.regions { sizes = [64 KiB], counts = [512], grant-budget = 64 MiB }
      millrace.nic { bandwidth = "%d bit/s", queue = %d B }
      """
          .formatted(DATAGRAM, isForeseen ? "on" : "off", BITS_PER_SECOND, QUEUE);
    }

    private void warmUp() {
      for (int i = 1; i < nodes.length; i++) {
        begin(i);
        int begun = i;
        if (i % DIALS_AT_ONCE == 0 || i == shape.peers()) {
          await(begun);
        }
      }
      simulation.runUntil(() -> false, simulation.nowNs() + PAUSE_NS);
    }

    Round run(int bytes) {
      answerBytes = bytes;
      done = 0;
      NetworkCounters counters = cluster.network().counters();
      long lost = counters.lost();
      long sent = counters.sent();
      long startNs = simulation.nowNs();
      for (int i = 0; i < shape.transfers(); i++) {
        begin(1 + i % shape.peers());
      }
      await(shape.transfers());
      double idealNs = (double) shape.transfers() * bytes * Byte.SIZE * SECOND_NS / BITS_PER_SECOND;
      long tookNs = lastNs - startNs;
      Round round =
          new Round(
              tookNs,
              tookNs / idealNs,
              (double) (counters.sent() - sent) / shape.transfers(),
              counters.lost() - lost);
      simulation.runUntil(() -> false, simulation.nowNs() + PAUSE_NS);
      return round;
    }

    private void begin(int peer) {
      var _ =
          Raw.unary(nodes[0].peer(SimCluster.handshakeAddress(peer)), SOURCE, new byte[1])
              .thenAccept(answer -> onDone());
    }

    private void await(int count) {
      assertTrue(
          simulation.runUntil(() -> done == count, simulation.nowNs() + 60 * SECOND_NS),
          () -> done + " are done");
    }

    private void onDone() {
      done++;
      lastNs = simulation.nowNs();
    }
  }
}
