package io.millrace.api;

import static io.millrace.api.StreamChecks.materializer;
import static io.millrace.api.StreamChecks.queueOfOne;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.internal.core.SimThread;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.sim.NetworkSettings;
import io.millrace.wire.RouteId;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.OverflowStrategy;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.SinkQueueWithCancel;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.SourceQueueWithComplete;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams with a consumer that takes a few elements and then stalls. The elements on the wire, the
 * demand at the producer and the memory of the nodes stay within the taken elements and the window;
 * other streams go on.
 */
@Timeout(300)
class StalledStreamTest {
  private static final RouteId COUNT = RouteId.of("stalled-count");
  private static final RouteId TAKE = RouteId.of("stalled-take");
  private static final RouteId MIRROR = RouteId.of("mirror");
  private static final int TAKEN = 200;

  /** The value of {@code millrace.streams.window}. */
  private static final int WINDOW = 64;

  /** A queue at the end of a stream holds one element in hand and one element in its buffer. */
  private static final int IN_HAND = 2;

  private static final int BYTES = 100;
  private static final long SECOND_NS = SimulatedCluster.SECOND_NS;
  private static final int HOUR_S = 3_600;
  private static final long HEAP_SLACK_BYTES = 8L << 20;

  /**
   * Leaked memory grows in each round. Memory left by other tests of the process, and the records
   * of events until full, grow in the first rounds only.
   */
  private static final int MOST_ROUNDS = 3;

  private static final long DIRECT_SLACK_BYTES = 1L << 20;

  /** The number of exchanges of another stream meanwhile; a larger number makes the run longer. */
  private static final int EXCHANGES = Integer.getInteger("millrace.stall.exchanges", 3_000);

  /** The produced elements, and the memory of the process. */
  private record Kept(long produced, long directBytes, long heapBytes) {}

  /** Waits for a stage, on sockets or under virtual time. */
  private interface Waiting {
    <T> T await(CompletionStage<T> stage) throws Exception;
  }

  /** A stalled stream in each direction, and a running stream, between a client and a server. */
  private static final class Streams {
    private final AtomicLong responses = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private final CompletableFuture<SinkQueueWithCancel<byte[]>> serverTakes =
        new CompletableFuture<>();
    private final CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
    private final SinkQueueWithCancel<byte[]> clientTakes;
    private final SourceQueueWithComplete<byte[]> give;
    private final SinkQueueWithCancel<byte[]> take;
    private final Waiting waiting;

    Streams(Transport server, Transport client, Peer peer, Waiting waiting) {
      this.waiting = waiting;
      Raw.serveStreamingResponse(
          server, COUNT, call -> Raw.StreamingResponse.of(endless(responses)));
      Raw.serveStreamingRequest(
          server,
          TAKE,
          call -> {
            serverTakes.complete(call.elements().runWith(queueOfOne(), materializer(server)));
            return answer;
          });
      Raw.serveBidirectional(server, MIRROR, call -> Raw.StreamingResponse.of(call.elements()));
      clientTakes =
          Raw.streamingResponse(peer, UnaryRequest.of(COUNT, new byte[0]))
              .runWith(queueOfOne(), materializer(client));
      var _ =
          endless(requests)
              .runWith(
                  Raw.streamingRequest(peer, TAKE, TransferOptions.DEFAULTS), materializer(client));
      Pair<SourceQueueWithComplete<byte[]>, SinkQueueWithCancel<byte[]>> ends =
          Source.<byte[]>queue(16, OverflowStrategy.backpressure())
              .via(Raw.bidirectional(peer, MIRROR, TransferOptions.DEFAULTS))
              .toMat(queueOfOne(), Keep.both())
              .run(materializer(client));
      give = ends.first();
      take = ends.second();
    }

    private static Source<byte[], ?> endless(AtomicLong produced) {
      return Source.repeat(0)
          .map(
              each -> {
                produced.incrementAndGet();
                return new byte[BYTES];
              });
    }

    void takeSome() throws Exception {
      SinkQueueWithCancel<byte[]> other = waiting.await(serverTakes);
      for (int i = 0; i < TAKEN; i++) {
        assertTrue(waiting.await(clientTakes.pull()).isPresent());
        assertTrue(waiting.await(other.pull()).isPresent());
      }
    }

    void exchange(int number) throws Exception {
      byte[] bytes = StreamChecks.element(number);
      waiting.await(give.offer(bytes));
      assertArrayEquals(bytes, waiting.await(take.pull()).orElseThrow());
    }

    void assertBounded() {
      long most = TAKEN + IN_HAND + WINDOW;
      assertTrue(responses.get() <= most, responses + " responses were produced");
      assertTrue(requests.get() <= most, requests + " requests were produced");
    }

    Kept kept(Transport server, Transport client) {
      long buffers =
          server.snapshot().buffers().usedBytes() + client.snapshot().buffers().usedBytes();
      return new Kept(responses.get() + requests.get(), buffers + directBytes(), heapBytes());
    }

    void cancel() throws Exception {
      clientTakes.cancel();
      waiting.await(serverTakes).cancel();
      answer.complete(UnaryResponse.of(new byte[0]));
      give.complete();
      assertTrue(waiting.await(take.pull()).isEmpty());
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static long heapBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void shouldStayWithinTheWindowForAnHour() throws Exception {
    StreamWatch watch = new StreamWatch();
    SimThread.call(
        () -> {
          try (Simulation simulation = new Simulation(5)) {
            SimulatedCluster nodes =
                new SimulatedCluster(
                    simulation,
                    2,
                    NetworkSettings.clean(100_000),
                    new byte[0],
                    cluster -> cluster.observeCiphers(watch));
            stallForAnHour(nodes, watch);
          }
          return null;
        });
  }

  private static void stallForAnHour(SimulatedCluster nodes, StreamWatch watch) throws Exception {
    Simulation simulation = nodes.simulation;
    Transport client = nodes.transport(0);
    Transport server = nodes.transport(1);
    Waiting waiting =
        new Waiting() {
          @Override
          public <T> T await(CompletionStage<T> stage) throws Exception {
            return nodes.await(stage, 10 * SECOND_NS);
          }
        };
    Streams streams = new Streams(server, client, nodes.peer(0, 1), waiting);
    streams.takeSome();
    simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
    List<StreamWatch.Flow> stalled = watch.flowsBeyond(TAKEN);
    assertEquals(2, stalled.size(), "flows have stalled");
    long segments = watch.segments(stalled);
    Kept kept = streams.kept(server, client);

    for (int second = 0; second < HOUR_S; second++) {
      simulation.runUntil(() -> false, simulation.nowNs() + SECOND_NS);
      streams.exchange(second);
    }

    streams.assertBounded();
    for (StreamWatch.Flow flow : stalled) {
      long headers = flow.isResponse() ? 1 : 0;
      long most = TAKEN + IN_HAND + WINDOW + headers;
      assertTrue(watch.of(flow).elements <= most, watch.of(flow).elements + " elements were sent");
      assertTrue(watch.of(flow).credit <= most, watch.of(flow).credit + " elements were allowed");
    }
    assertEquals(segments, watch.segments(stalled), "segments after the stall");
    assertSame(kept, streams.kept(server, client));
    streams.cancel();
    assertTrue(
        simulation.runUntil(
            () -> StreamCensus.open(client) + StreamCensus.open(server) == 0,
            simulation.nowNs() + 20 * SECOND_NS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"udp", "udp-nio"})
  void shouldHoldNobodyElseBackOnSockets(String driver) throws Exception {
    try (TwoNodes nodes = new TwoNodes("millrace.nic.driver = " + driver)) {
      Waiting waiting =
          new Waiting() {
            @Override
            public <T> T await(CompletionStage<T> stage) throws Exception {
              return nodes.await(stage.toCompletableFuture());
            }
          };
      Streams streams = new Streams(nodes.server(), nodes.client(), nodes.peer(), waiting);
      streams.takeSome();
      for (int i = 0; i < EXCHANGES / 10; i++) {
        streams.exchange(i);
      }
      Kept kept = streams.kept(nodes.server(), nodes.client());
      Kept before = kept;
      for (int round = 0; round < MOST_ROUNDS && (round == 0 || hasGrown(before, kept)); round++) {
        before = kept;
        for (int i = 0; i < EXCHANGES; i++) {
          streams.exchange(i);
        }
        kept = streams.kept(nodes.server(), nodes.client());
      }

      streams.assertBounded();
      assertSame(before, kept);
      streams.cancel();
      StreamChecks.awaitNothingOpen(nodes);
    }
  }

  private static boolean hasGrown(Kept before, Kept after) {
    return after.heapBytes() - before.heapBytes() > HEAP_SLACK_BYTES;
  }

  private static void assertSame(Kept before, Kept after) {
    assertEquals(before.produced(), after.produced(), "elements were produced");
    assertTrue(
        after.directBytes() - before.directBytes() <= DIRECT_SLACK_BYTES,
        () -> "direct bytes: " + before + ", then " + after);
    assertFalse(hasGrown(before, after), () -> "heap: " + before + ", then " + after);
  }
}
