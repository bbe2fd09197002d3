package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.body.ArraySource;
import io.millrace.testkit.cluster.NodeHandle;
import io.millrace.testkit.cluster.NodeProgram;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A node of {@link ThreeJvmsTest}: calls and writes to all other nodes, and goes on calling the
 * victim until the victim has come back.
 *
 * @param listen handshake address
 * @param victim name of the node for the test to kill
 */
record MemberNode(String listen, String victim) implements NodeProgram {
  static final int CALLS = 200;
  static final int BULK_BYTES = 1_500_000;

  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId STORE = RouteId.of("store");
  private static final RouteId CHECKSUM = RouteId.of("checksum");
  private static final int PAYLOAD_BYTES = 200;
  private static final long LIMIT_S = 20;

  /** The pause before the next call to a dead peer: the peer's next life needs the core. */
  private static final long HOPELESS_NS = 10_000_000;

  private static final Set<CallOutcome> OF_A_DEAD_PEER =
      EnumSet.of(
          CallOutcome.PEER_UNRESPONSIVE,
          CallOutcome.PEER_UNREACHABLE,
          CallOutcome.PEER_RESET,
          CallOutcome.HANDSHAKE_FAILED);

  @Override
  public void run(NodeHandle self) throws Exception {
    String overrides =
        """
        millrace.handshake.listen = "%s"
        millrace.handshake.timeout = 1 s
        millrace.recovery.fail-after = 1500 ms
        millrace.nic.driver = auto
        """
            .formatted(listen);
    try (Transport transport = Transport.start(TwoNodes.settings(overrides))) {
      serve(transport);
      self.publish("address of " + self.name(), transport.address());
      Map<String, Peer> peers = new LinkedHashMap<>();
      for (String name : self.others()) {
        peers.put(name, transport.peer(self.await("address of " + name)));
      }
      for (Map.Entry<String, Peer> peer : peers.entrySet()) {
        exchange(peer.getValue(), self.name() + self.incarnation() + peer.getKey());
      }
      if (self.incarnation() == 1) {
        self.barrier("all have called all");
        Peer doomed = peers.remove(victim);
        if (doomed != null) {
          survive(self, doomed, peers.values().iterator().next());
        }
      }
      self.publish(self.name() + " is done", "");
      self.awaitStop();
    }
  }

  private static void serve(Transport transport) {
    Map<String, BodyTest.Collector> stored = new ConcurrentHashMap<>();
    Raw.serveOnWorker(
        transport,
        ECHO,
        call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    Raw.serveBulkWrites(
        transport,
        STORE,
        offer -> {
          BodyTest.Collector target = new BodyTest.Collector();
          stored.put(offer.peer(), target);
          return CompletableFuture.completedFuture(target);
        });
    Raw.serve(
        transport,
        CHECKSUM,
        call -> {
          BodyTest.Collector last = stored.getOrDefault(call.peer(), new BodyTest.Collector());
          byte[] sum = checksum(last.bytes.toByteArray());
          return CompletableFuture.completedFuture(UnaryResponse.of(sum));
        });
  }

  /** Checks that calls get the right answers, and that bytes arrive unchanged. */
  private static void exchange(Peer peer, String label) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      byte[] payload = Arrays.copyOf((label + i).getBytes(UTF_8), PAYLOAD_BYTES);
      byte[] answer = Raw.unary(peer, ECHO, payload).get(LIMIT_S, TimeUnit.SECONDS).payload();
      check(Arrays.equals(payload, answer), "another answer than its request");
    }
    byte[] bytes = BodyTest.random(BULK_BYTES, label.hashCode());
    long written =
        Raw.bulkWrite(
                peer, STORE, new ArraySource(bytes, 0, bytes.length), TransferOptions.DEFAULTS)
            .get(LIMIT_S, TimeUnit.SECONDS)
            .bytes();
    check(written == bytes.length, written + " bytes written");
    byte[] there = Raw.unary(peer, CHECKSUM, new byte[1]).get(LIMIT_S, TimeUnit.SECONDS).payload();
    check(Arrays.equals(checksum(bytes), there), "other bytes than were written");
  }

  /**
   * Checks that only calls to the dead peer fail, each with a fitting outcome, and only as long as
   * the peer is dead.
   */
  private static void survive(NodeHandle self, Peer doomed, Peer other) throws Exception {
    self.publish(self.name() + " calls on", "");
    CallOutcome failure = callUntil(doomed, false);
    exchange(other, self.name() + " meanwhile");
    self.publish(self.name() + " saw", failure.name());
    callUntil(doomed, true);
    exchange(doomed, self.name() + " again");
    self.result(failure.name());
  }

  /** Calls until a call succeeds, or until a call fails. */
  private static CallOutcome callUntil(Peer peer, boolean isAnswered) throws Exception {
    long startNs = System.nanoTime();
    CallOutcome outcome = call(peer);
    while ((outcome == CallOutcome.OK) != isAnswered) {
      check(System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(LIMIT_S), "still " + outcome);
      if (isAnswered) {
        LockSupport.parkNanos(HOPELESS_NS);
      }
      outcome = call(peer);
    }
    return outcome;
  }

  private static CallOutcome call(Peer peer) throws Exception {
    try {
      Raw.unary(peer, ECHO, new byte[PAYLOAD_BYTES]).get(LIMIT_S, TimeUnit.SECONDS);
      return CallOutcome.OK;
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      if (cause instanceof CallException failed && OF_A_DEAD_PEER.contains(failed.outcome())) {
        return failed.outcome();
      }
      throw e;
    }
  }

  private static byte[] checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return List.of(sum.getValue(), bytes.length).toString().getBytes(UTF_8);
  }

  private static void check(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
