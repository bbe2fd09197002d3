package io.millrace.testkit.path;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class PathPairTest {
  private static final Duration MOST = Duration.ofSeconds(60);
  private static final int CALLS = 50;
  private static final int ELEMENTS = 100;
  private static final int BULK_BYTES = 1 << 18;
  private static final int WRITES = 3;
  private static final int JUMBO = 8_972;
  private static final int ETHERNET = 1_472;

  private final List<PairCall> calls = new ArrayList<>();
  private final List<PairStream> streams = new ArrayList<>();
  private final byte[] bulk = new byte[BULK_BYTES];

  private static List<byte[]> serve(PairSide side) {
    List<byte[]> written = new ArrayList<>();
    side.serve("echo", request -> request);
    side.serveWrites("store", written::add);
    side.serveStreams("double", element -> new byte[2 * element.length]);
    return written;
  }

  private void use(PairSide side) {
    for (int i = 0; i < CALLS; i++) {
      calls.add(side.call("echo", new byte[i]));
    }
    calls.add(side.write("store", bulk));
    calls.addAll(side.broadcast("store", bulk, WRITES));
    PairStream stream = side.open("double");
    for (int i = 0; i < ELEMENTS; i++) {
      stream.send(new byte[i]);
    }
    stream.end();
    streams.add(stream);
  }

  @Test
  void shouldCarryEveryPatternBothWaysThroughLossAndReordering() {
    new SplittableRandom(1).nextBytes(bulk);
    PathPair pair = PathPair.of(5).loss(0.2).reordering(0.2).duplication(0.05).mtu(4_000);
    List<byte[]> atLeft = serve(pair.left());
    List<byte[]> atRight = serve(pair.right());
    use(pair.left());
    use(pair.right());

    assertTrue(
        pair.stepUntil(
            () ->
                calls.stream().allMatch(PairCall::isEnded)
                    && streams.stream().allMatch(PairStream::isEnded),
            MOST),
        pair::table);

    calls.forEach(call -> assertEquals(CallOutcome.OK, call.outcome(), call.text()));
    for (int i = 0; i < CALLS; i++) {
      assertEquals(i, calls.get(i).response().length);
    }
    atLeft.addAll(atRight);
    assertEquals(2 * (WRITES + 1), atLeft.size());
    atLeft.forEach(written -> assertArrayEquals(bulk, written));
    for (PairStream stream : streams) {
      assertEquals(CallOutcome.OK, stream.outcome(), stream.text());
      assertEquals(ELEMENTS, stream.received().size());
      for (int i = 0; i < ELEMENTS; i++) {
        assertEquals(2 * i, stream.received().get(i).length);
      }
    }
    List<PairDatagram> datagrams = pair.datagrams();
    long lost = datagrams.stream().filter(datagram -> datagram.fate().isDropped()).count();
    assertTrue(lost > datagrams.size() / 10, () -> lost + " of " + datagrams.size());
    Set<PairDatagram.Fate> fates = EnumSet.allOf(PairDatagram.Fate.class);
    datagrams.forEach(datagram -> fates.remove(datagram.fate()));
    assertEquals(EnumSet.of(PairDatagram.Fate.QUEUE_FULL), fates);
  }

  // begin of the example
  @Test
  void shouldSendALostRequestAgain() {
    PathPair pair = PathPair.of(1).latency(Duration.ofMillis(2));
    pair.right().serve("greet", name -> ("hello " + new String(name, UTF_8)).getBytes(UTF_8));
    pair.lose(1); // the first datagram holds the request
    PairCall call = pair.left().call("greet", "world".getBytes(UTF_8));

    assertTrue(pair.stepUntil(call::isEnded, Duration.ofSeconds(1)), pair::table);
    assertEquals("hello world", new String(call.response(), UTF_8));
    assertEquals(
        """
          time ms  direction      bytes  fate
            0.000  left -> right    107  lost
            0.000  left -> right   8972  carried
            0.000  left <- right   8972  carried
            2.000  left -> right    102  carried
            2.000  left <- right    102  carried
            4.600  left -> right    107  carried
            6.600  left <- right    143  carried
        """,
        pair.table());
  }

  // end of the example

  @Test
  void shouldAcknowledgeAnAnswerWithTheNextRequest() {
    PathPair pair = PathPair.of(1).latency(Duration.ofMillis(1));
    pair.right().serve("echo", request -> request);
    callAndPause(pair, Duration.ofSeconds(1));
    int before = pair.datagrams().size();
    for (int i = 0; i < CALLS; i++) {
      callAndPause(pair, Duration.ofMillis(8));
    }
    assertEquals(2 * CALLS, pair.datagrams().size() - before, pair::table);
  }

  @Test
  void shouldSendALostAnswerAgainAsSoonAsTheCallerAsks() {
    PathPair pair = PathPair.of(1).latency(Duration.ofMillis(1));
    pair.right().serve("echo", request -> request);
    callAndPause(pair, Duration.ofSeconds(1));
    callAndPause(pair, Duration.ofMillis(8));
    pair.lose(pair.datagrams().size() + 2); // the request goes, its answer with the Ack is lost
    PairCall call = pair.left().call("echo", new byte[1]);
    assertTrue(pair.stepUntil(call::isEnded, Duration.ofMillis(15)), pair::table);
  }

  /** Rule M-7. */
  @Test
  void shouldFollowAnMtuThatComesBack() {
    PathPair pair = PathPair.of(1);
    pair.right().serveWrites("store", written -> {});
    assertEquals(JUMBO, longest(pair));
    pair.mtu(1_500);
    assertEquals(ETHERNET, longest(pair));
    pair.mtu(JUMBO);
    assertEquals(ETHERNET, longest(pair));
    assertTrue(isBackInAMinute(pair), pair::table);
  }

  /** A search anew in vain makes the path doubt no size that works. Rule M-7. */
  @Test
  void shouldKeepAWorkingSizeDuringASearchInVain() {
    PathPair pair = PathPair.of(1).mtu(1_500);
    pair.right().serveWrites("store", written -> {});
    assertEquals(ETHERNET, longest(pair));
    long before = pair.datagrams().stream().filter(d -> d.lengthBytes() > ETHERNET).count();
    assertFalse(isBackInAMinute(pair));
    long after = pair.datagrams().stream().filter(d -> d.lengthBytes() > ETHERNET).count();
    assertEquals(before + 2 * 2, after, pair::table); // two sizes, from either side
    assertEquals(ETHERNET, longest(pair));
  }

  /** Rule M-7. */
  @Test
  void shouldGoBackToLargeDatagramsAfterALossBurst() {
    PathPair pair = PathPair.of(1);
    pair.right().serveWrites("store", written -> {});
    assertEquals(JUMBO, longest(pair));
    pair.mtu(1_250); // drops all larger datagrams, and lets the peer live
    assertEquals(1_200, longest(pair));
    pair.mtu(JUMBO);
    assertEquals(1_200, longest(pair));
    assertTrue(isBackInAMinute(pair), pair::table);
  }

  /** The longest datagram that arrives of a write, after a write that looks for the size. */
  private int longest(PathPair pair) {
    write(pair);
    pair.stepUntil(() -> false, Duration.ofSeconds(3));
    Duration before = pair.time();
    write(pair);
    return pair.datagrams().stream()
        .filter(datagram -> datagram.isFromLeft() && !datagram.fate().isDropped())
        .filter(datagram -> datagram.time().compareTo(before) > 0)
        .mapToInt(PairDatagram::lengthBytes)
        .max()
        .orElseThrow();
  }

  private void write(PathPair pair) {
    PairCall call = pair.left().write("store", bulk);
    assertTrue(pair.stepUntil(call::isEnded, Duration.ofSeconds(10)), pair::table);
    assertEquals(CallOutcome.OK, call.outcome(), call.text());
  }

  private static boolean isBackInAMinute(PathPair pair) {
    long before = pair.datagrams().stream().filter(PathPairTest::isJumbo).count();
    return pair.stepUntil(
        () ->
            pair.time().toMillis() % 1_000 == 0
                && pair.datagrams().stream().filter(PathPairTest::isJumbo).count() > before,
        Duration.ofMinutes(1));
  }

  private static boolean isJumbo(PairDatagram datagram) {
    return datagram.lengthBytes() == JUMBO && !datagram.fate().isDropped();
  }

  private static void callAndPause(PathPair pair, Duration pause) {
    PairCall call = pair.left().call("echo", new byte[1]);
    assertTrue(pair.stepUntil(call::isEnded, MOST), pair::table);
    pair.stepUntil(() -> false, pause);
  }

  @Test
  void shouldRepeatARunWithItsSeed() {
    String table = tableOf(3);
    assertEquals(table, tableOf(3));
    assertNotEquals(table, tableOf(4));
    assertTrue(table.contains("queue full"), table);
  }

  private static String tableOf(long seed) {
    PathPair pair = PathPair.of(seed).loss(0.3).rate(1_000_000, 3_000);
    serve(pair.right());
    PairCall write = pair.left().write("store", new byte[BULK_BYTES / 4]);
    assertTrue(pair.stepUntil(write::isEnded, MOST), pair::table);
    return pair.table();
  }

  @Test
  void shouldTellWhyACallFailed() {
    PathPair pair = PathPair.of(1);
    pair.right()
        .serve(
            "fail",
            request -> {
              throw new IllegalArgumentException("not today");
            });
    PairCall refused = pair.left().call("fail", new byte[1]);
    PairCall unknown = pair.left().call("missing", new byte[1]);
    PairStream stream = pair.left().open("missing");
    stream.send(new byte[1]);
    assertThrows(IllegalStateException.class, refused::outcome);

    assertTrue(pair.stepUntil(() -> refused.isEnded() && unknown.isEnded(), MOST), pair::table);
    assertTrue(pair.stepUntil(stream::isEnded, MOST), pair::table);

    assertEquals(CallOutcome.REFUSED, refused.outcome());
    assertEquals("not today", refused.text());
    assertEquals(CallOutcome.UNKNOWN_ROUTE, unknown.outcome());
    assertEquals(CallOutcome.UNKNOWN_ROUTE, stream.outcome());
  }

  @Test
  void shouldFailCallsOnceThePathIsGivenUp() {
    PathPair pair = PathPair.of(1).loss(1);
    PairCall sent = pair.left().call("echo", new byte[1]);
    assertTrue(pair.stepUntil(sent::isEnded, MOST), pair::table);
    assertEquals(CallOutcome.PEER_UNRESPONSIVE, sent.outcome(), sent.text());
    PairCall late = pair.left().call("echo", new byte[1]);
    assertTrue(pair.stepUntil(late::isEnded, MOST), pair::table);
    assertEquals(CallOutcome.PEER_UNREACHABLE, late.outcome(), late.text());
  }
}
