package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_FAILED;
import static io.millrace.driver.CompletionHandler.STATUS_NOT_READY;
import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static io.millrace.driver.CompletionHandler.STATUS_UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.HoldCause;
import io.millrace.driver.NotReadySettings;
import io.millrace.efa.ofi.FabricErrno;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Peers without a free receive buffer, and queues without room. */
class NotReadyTest extends EndpointFixture {
  private static final long TRY_AGAIN = -FabricErrno.FI_EAGAIN;
  private static final long LONGEST_WAIT_NS = NotReadySettings.DEFAULTS.longestWaitNs();

  /** The receiver of the oldest datagram with the provider is not ready. */
  private void refuseSend() {
    FakeVerbs.Sent sent = fake.verbs.sent.removeFirst();
    fake.verbs.errors.add(new FakeVerbs.Failed(sent.context(), FabricErrno.FI_ENORX, 10));
  }

  private void refuseWrite() {
    long context = fake.verbs.writes.removeFirst();
    fake.verbs.errors.add(new FakeVerbs.Failed(context, FabricErrno.FI_ENORX, 10));
  }

  /** Writes read from other memory from now on. */
  private Arena useOtherMemory() throws DriverException {
    Arena other = Arena.ofShared();
    region = endpoint.remoteMemory().register(other.allocate(10), true);
    return other;
  }

  private void completeWrite() {
    long context = fake.verbs.writes.removeFirst();
    fake.verbs.completions.add(new FakeVerbs.Done(context, 0, 0, 0));
  }

  private List<Long> bytesSent() {
    return fake.verbs.sent.stream().map(FakeVerbs.Sent::bytes).toList();
  }

  /** Makes the peer's receiver refuse a datagram twice, so that a wait begins. */
  private void beginWait(int peer) {
    send(peer, 100, 1);
    refuseSend();
    assertEquals(List.of(), poll(), "repeated at once");
    refuseSend();
    assertEquals(List.of("held " + peer + " " + HoldCause.NOT_READY), poll());
    assertEquals(List.of(), fake.verbs.sent, "the peer has a rest");
  }

  /** Lets time pass until the next datagram goes, or none waits; returns the time. */
  private long waitedNs(long stepNs) {
    long startNs = fake.nowNs;
    while (fake.verbs.sent.isEmpty() && endpoint.fabricCounters().notReadyGivenUp == 0) {
      fake.nowNs += stepNs;
      poll();
    }
    return fake.nowNs - startNs;
  }

  @Test
  void shouldRepeatFirstTimeAtOnceAndReportOnlyTheOutcome() throws DriverException {
    int peer = fake.destination();
    send(peer, 100, 7);
    refuseSend();
    assertEquals(List.of(), poll());
    assertEquals(List.of(100L), bytesSent());
    fake.completeSend();
    assertEquals(List.of("send 7 " + STATUS_OK), poll());
    assertEquals(0, endpoint.counters().sendFailures);
    assertEquals(1, endpoint.counters().datagramsSent, "one datagram, in two attempts");
    assertEquals(1, endpoint.fabricCounters().repeats);
    assertEquals(0, endpoint.operationsInFlight());
  }

  @Test
  void shouldHoldOnlyThePeerThatIsNotReady() throws DriverException {
    int peer = fake.destination();
    int healthy = fake.destination();
    beginWait(peer);
    send(peer, 90, 2);
    send(healthy, 80, 3);
    assertEquals(List.of(80L), bytesSent());
    assertTrue(write(healthy, 10, 4));
    assertFalse(write(peer, 10, 5), "data waits for the same time as messages");
    assertEquals(1, endpoint.fabricCounters().heldBack);
    fake.verbs.sent.clear();
    fake.nowNs += LONGEST_WAIT_NS;
    poll();
    assertEquals(List.of(100L, 90L), bytesSent());
    assertTrue(write(peer, 10, 5));
  }

  @Test
  void shouldDoubleTheWaitsUpToTheLongest() throws DriverException {
    int peer = fake.destination();
    beginWait(peer);
    send(fake.destination(), 100, 9);
    fake.completeSend();
    long limitNs = 2 * NotReadySettings.DEFAULTS.firstWaitNs();
    int waits = 0;
    long waitedNs = waitedNs(limitNs / 100);
    while (endpoint.fabricCounters().notReadyGivenUp == 0) {
      assertTrue(waitedNs >= limitNs / 2, waits + ": " + waitedNs);
      assertTrue(waitedNs <= limitNs + limitNs / 100, waits + ": " + waitedNs);
      limitNs = Math.min(2 * limitNs, LONGEST_WAIT_NS);
      waits++;
      refuseSend();
      poll();
      waitedNs = waitedNs(limitNs / 100);
    }
    assertTrue(waits >= 14 && waits <= 17, "waits: " + waits);
    assertTrue(fake.nowNs >= PeerHolds.LIMIT_NS, "time: " + fake.nowNs);
  }

  @Test
  void shouldEndTheWaitWithASuccessOfThePeer() throws DriverException {
    int peer = fake.destination();
    send(peer, 300, 1);
    FakeVerbs.Sent third = fake.verbs.sent.removeLast();
    refuseSend();
    refuseSend();
    poll();
    assertEquals(2, fake.verbs.sent.size(), "repeated at once");
    refuseSend();
    refuseSend();
    poll();
    assertEquals(List.of(), fake.verbs.sent);
    fake.verbs.completions.add(new FakeVerbs.Done(third.context(), 0, 0, 0));
    assertEquals(List.of("let go " + peer), poll());
    assertEquals(2, fake.verbs.sent.size(), "the wait is over");
    refuseSend();
    poll();
    fake.nowNs += 2 * NotReadySettings.DEFAULTS.firstWaitNs();
    poll();
    assertEquals(2, fake.verbs.sent.size(), "the waits begin anew with the shortest");
  }

  @Test
  void shouldNotLetLaterDatagramsOvertakeTheRepeat() throws DriverException {
    int peer = fake.destination();
    send(peer, 350, 1);
    send(peer, 90, 2);
    assertEquals(List.of(100L, 100L, 100L, 50L, 90L), bytesSent());
    // the answers come in another order than the posts
    FakeVerbs.Sent second = fake.verbs.sent.get(1);
    FakeVerbs.Sent fourth = fake.verbs.sent.get(3);
    FakeVerbs.Sent last = fake.verbs.sent.get(4);
    for (FakeVerbs.Sent refused : List.of(last, fourth, second)) {
      fake.verbs.errors.add(new FakeVerbs.Failed(refused.context(), FabricErrno.FI_ENORX, 10));
    }
    fake.verbs.sent.clear();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    poll();
    send(peer, 80, 3);
    fake.verbs.answers.clear();
    poll();
    assertEquals(List.of(100L, 50L, 90L, 80L), bytesSent());
  }

  /** Refuses every attempt until the endpoint reports {@code line}; returns all lines. */
  private List<String> refuseUntil(String line) {
    List<String> seen = new ArrayList<>();
    for (int round = 0; !seen.contains(line); round++) {
      assertTrue(round < 1_000, "seen: " + seen);
      while (!fake.verbs.sent.isEmpty()) {
        refuseSend();
      }
      fake.nowNs += 10_000_000;
      seen.addAll(poll());
    }
    return seen;
  }

  @Test
  void shouldGiveUpTypedAndWithoutBlamingThePeersLife() throws DriverException {
    int peer = fake.destination();
    send(peer, 300, 1);
    fake.completeSend();
    String outcome = "send 1 " + STATUS_NOT_READY;
    assertEquals(List.of("held 0 NOT_READY", "let go 0", outcome), inOrder(refuseUntil(outcome)));
    assertEquals(2, endpoint.counters().sendFailures, "one of three datagrams arrived");
    assertEquals(2, endpoint.fabricCounters().notReadyGivenUp);
    assertEquals(0, endpoint.operationsInFlight());
    send(peer, 100, 2);
    assertEquals(List.of("send 2 " + STATUS_NOT_READY), inOrder(refuseUntil("send 2 4")));
    fake.nowNs += LONGEST_WAIT_NS;
    send(peer, 100, 3);
    fake.completeSend();
    assertEquals(List.of("send 3 " + STATUS_OK), poll());
    beginWait(peer);
  }

  /** The end of an episode and the end of its posts are reported in either order. */
  private static List<String> inOrder(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  @Test
  void shouldKeepAQuarterOfTheBuffersFromAPeerThatIsNotReady() throws DriverException {
    int peer = fake.destination();
    int healthy = fake.destination();
    for (int i = 0; i < FakeEndpoint.SEND_BUFFERS; i++) {
      send(peer, 100, i);
    }
    fake.verbs.answers.put(0L, TRY_AGAIN);
    for (int i = 0; i < FakeEndpoint.SEND_BUFFERS; i++) {
      refuseSend();
    }
    List<String> ends = poll();
    assertEquals(List.of("send 6 " + STATUS_NOT_READY, "send 7 " + STATUS_NOT_READY), ends);
    send(healthy, 100, 9);
    assertEquals(List.of(1L), fake.verbs.sent.stream().map(FakeVerbs.Sent::destination).toList());
  }

  @Test
  void shouldRepeatWritesAndCompleteThemOnce() throws DriverException {
    int peer = fake.destination();
    assertTrue(write(peer, 10, 1));
    refuseWrite();
    assertEquals(List.of(), poll());
    assertEquals(1, fake.verbs.writes.size(), "repeated at once");
    refuseWrite();
    assertEquals(List.of("held 0 NOT_READY"), poll());
    assertFalse(write(peer, 10, 2), "behind the write that waits");
    send(peer, 100, 3);
    assertEquals(List.of(), fake.verbs.sent, "messages wait for the same time as data");
    fake.nowNs += 2 * NotReadySettings.DEFAULTS.firstWaitNs();
    poll();
    assertEquals(1, fake.verbs.writes.size());
    completeWrite();
    assertEquals(List.of("write 1 " + STATUS_OK, "let go 0"), poll());
    assertEquals(1, endpoint.fabricCounters().writesPosted);
    assertTrue(write(peer, 10, 2));
  }

  @Test
  void shouldNotFillTheWindowWithWritesThatWait() throws DriverException {
    int peer = fake.destination();
    int healthy = fake.destination();
    for (int i = 0; i < 6; i++) {
      assertTrue(write(peer, 10, i), "write " + i);
    }
    assertFalse(write(healthy, 10, 9), "three quarters of the window of 8");
    for (int i = 0; i < 6; i++) {
      refuseWrite();
    }
    fake.verbs.writeAnswer = TRY_AGAIN;
    assertEquals(
        List.of(
            "write 3 " + STATUS_NOT_READY,
            "write 4 " + STATUS_NOT_READY,
            "write 5 " + STATUS_NOT_READY),
        poll());
    fake.verbs.writeAnswer = 0;
    assertTrue(write(healthy, 9_000, 10), "the writes that wait count no bytes");
  }

  @Test
  void shouldGiveWritesUpTyped() throws DriverException {
    int peer = fake.destination();
    assertTrue(write(peer, 10, 1));
    List<String> seen = new ArrayList<>();
    for (int round = 0; seen.stream().noneMatch(line -> line.startsWith("write")); round++) {
      assertTrue(round < 1_000, "seen: " + seen);
      if (!fake.verbs.writes.isEmpty()) {
        refuseWrite();
      }
      fake.nowNs += 10_000_000;
      seen.addAll(poll());
    }
    assertEquals(
        List.of("held 0 NOT_READY", "let go 0", "write 1 " + STATUS_NOT_READY), inOrder(seen));
    assertEquals(0, endpoint.operationsInFlight());
  }

  @Test
  void shouldNotRepeatWritesFromMemoryThatIsGone() throws DriverException {
    int peer = fake.destination();
    beginWait(peer);
    Arena gone = useOtherMemory();
    fake.nowNs += LONGEST_WAIT_NS;
    assertEquals(List.of(), poll());
    assertTrue(write(peer, 10, 2));
    refuseSend();
    refuseWrite();
    poll();
    gone.close();
    fake.nowNs += LONGEST_WAIT_NS;
    poll();
    assertEquals(List.of(), fake.verbs.writes);
    assertTrue(poll().contains("write 2 " + STATUS_FAILED));
  }

  @Test
  void shouldForgetWhatWaitsForAReleasedPeer() throws DriverException {
    int peer = fake.destination();
    beginWait(peer);
    endpoint.release(peer);
    assertEquals(List.of("send 1 " + STATUS_FAILED), poll());
    assertEquals(peer, fake.destination(), "the number is used again");
    send(peer, 100, 2);
    assertEquals(List.of(100L), bytesSent(), "the successor is ready");
  }

  @Test
  void shouldTellOfOneEpisodeOfAFullQueue() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 1);
    for (int i = 0; i < 5; i++) {
      fake.nowNs += PeerHolds.NOTICE_NS / 5 - 1;
      assertEquals(List.of(), poll(), "as during a connection");
    }
    fake.nowNs += 5;
    assertEquals(List.of("held 0 QUEUE_FULL"), poll());
    fake.nowNs += PeerHolds.NOTICE_NS;
    assertEquals(List.of(), poll());
    fake.verbs.answers.clear();
    assertEquals(List.of("let go 0"), poll());
    fake.completeSend();
    assertEquals(List.of("send 1 " + STATUS_OK), poll());
  }

  @Test
  void shouldEndTheEpisodeWhenPostsAreGivenUp() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 1);
    fake.nowNs += PeerHolds.NOTICE_NS;
    assertEquals(List.of("held 0 QUEUE_FULL"), poll());
    fake.nowNs += PeerHolds.LIMIT_NS;
    assertEquals(List.of("let go 0"), poll());
    send(peer, 100, 2);
    assertEquals(List.of(), poll().stream().filter(line -> line.startsWith("held")).toList());
  }

  @Test
  void shouldNotCountASilenceAsRefusals() throws DriverException {
    int peer = fake.destination();
    fake.verbs.writeAnswer = TRY_AGAIN;
    assertFalse(write(peer, 10, 1));
    fake.nowNs += 5 * PeerHolds.LIMIT_NS;
    assertFalse(write(peer, 10, 1), "no poll in between");
    poll();
    fake.nowNs += 5 * PeerHolds.LIMIT_NS;
    assertEquals(List.of(), poll());
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 2);
    assertEquals(List.of(), poll(), "refused for the first time in a long while");
    fake.nowNs += PeerHolds.LIMIT_NS + 1;
    assertEquals(List.of(), poll(), "given up");
    List<String> outcome = List.of("send 2 " + STATUS_UNREACHABLE, "unreachable 0");
    assertEquals(outcome, poll(), "a train that waits is refused without a break");
    send(peer, 100, 3);
    assertEquals(List.of(), poll(), "the next episode");
  }

  /** Refuses writes until the destination is held. */
  private void refuseWrites(int peer) {
    fake.verbs.writeAnswer = TRY_AGAIN;
    assertFalse(write(peer, 10, 1));
    fake.nowNs += PeerHolds.NOTICE_NS;
    assertFalse(write(peer, 10, 1));
    assertEquals(List.of("held 0 QUEUE_FULL"), poll());
  }

  @Test
  void shouldLetGoOfRefusedWritesWithACompletion() throws DriverException {
    int peer = fake.destination();
    assertTrue(write(peer, 10, 0));
    refuseWrites(peer);
    assertEquals(List.of(), poll());
    completeWrite();
    assertEquals(List.of("write 0 " + STATUS_OK, "let go 0"), poll());
    assertFalse(write(peer, 10, 1));
    assertEquals(List.of(), poll(), "a new episode");
  }

  @Test
  void shouldLetGoOfRefusedWritesAfterATime() throws DriverException {
    int peer = fake.destination();
    refuseWrites(peer);
    List<String> seen = new ArrayList<>();
    boolean isTaken = false;
    int rounds = 0;
    while (!isTaken) {
      assertTrue(++rounds < 3_000, "seen: " + seen);
      fake.nowNs += 1_000_000;
      List<String> lines = poll();
      seen.addAll(lines);
      isTaken = lines.contains("let go 0") && write(peer, 10, 1);
    }
    assertTrue(rounds >= 1_900, "given up after " + rounds + " ms");
    assertEquals(List.of("write 1 " + STATUS_UNREACHABLE, "unreachable 0"), poll());
    assertTrue(seen.size() < 50, "single attempts, ever less: " + seen.size());
    assertEquals("let go 0", seen.getLast());
  }

  @Test
  void shouldLetGoOfAPeerThatIsNotReadyWhenNothingWaits() throws DriverException {
    int peer = fake.destination();
    Arena gone = useOtherMemory();
    assertTrue(write(peer, 10, 1));
    refuseWrite();
    poll();
    refuseWrite();
    assertEquals(List.of("held 0 NOT_READY"), poll());
    gone.close();
    poll();
    assertEquals(List.of("write 1 " + STATUS_FAILED), poll());
    assertEquals(0, endpoint.operationsInFlight());
    fake.nowNs += LONGEST_WAIT_NS;
    assertEquals(List.of("let go 0"), poll());
    fake.nowNs += 5 * PeerHolds.LIMIT_NS;
    poll();
    beginWait(peer);
  }

  @Test
  void shouldTellAPathThatPostsOfTheEpisodeAgain() throws DriverException {
    int peer = fake.destination();
    beginWait(peer);
    assertEquals(List.of(), poll());
    send(peer, 90, 2);
    assertEquals(List.of("held 0 NOT_READY"), poll(), "the path may have come back by this rail");
    assertEquals(List.of(), poll());
    assertFalse(write(peer, 10, 3));
    assertEquals(List.of("held 0 NOT_READY"), poll());
    send(peer, 90, 4);
    fake.verbs.sent.clear();
    fake.nowNs += LONGEST_WAIT_NS;
    poll();
    fake.completeSend();
    assertEquals("let go 0", poll().getLast());
    send(peer, 90, 5);
    assertEquals(List.of(), poll(), "over");
  }

  @Test
  void shouldEndThePollOfAHandlerThatPostsWhenHeld() throws DriverException {
    int peer = fake.destination();
    send(peer, 100, 1);
    refuseSend();
    poll();
    refuseSend();
    List<Integer> held = new ArrayList<>();
    Reports posting =
        new Reports() {
          @Override
          public void onHeld(int destination, HoldCause cause) {
            assertTrue(held.size() < 100, "a poll without an end");
            held.add(destination);
            assertFalse(write(destination, 10, 5));
          }
        };
    endpoint.poll(posting, 64);
    assertEquals(List.of(peer), held);
    endpoint.poll(posting, 64);
    assertEquals(List.of(peer, peer), held, "the post of the last poll");
  }

  @Test
  void shouldTellOfHoldsInTheirOrder() throws DriverException {
    for (int i = 0; i < 3; i++) {
      send(fake.destination(), 100, i);
    }
    for (int i = 0; i < 3; i++) {
      refuseSend();
    }
    poll();
    for (int i = 0; i < 3; i++) {
      refuseSend();
    }
    assertEquals(List.of("held 0 NOT_READY", "held 1 NOT_READY", "held 2 NOT_READY"), poll());
  }

  @Test
  void shouldReportFailedWritesInTheirOrder() throws DriverException {
    int peer = fake.destination();
    fake.verbs.writeAnswer = -FabricErrno.FI_EINVAL;
    for (int context = 1; context <= 3; context++) {
      assertTrue(write(peer, 10, context));
    }
    List<Long> failed = new ArrayList<>();
    Reports posting =
        new Reports() {
          @Override
          public void onWriteComplete(long context, int status) {
            failed.add(context);
            assertTrue(write(peer, 10, context + 10));
          }
        };
    for (int i = 0; i < 4; i++) {
      endpoint.poll(posting, 64);
    }
    assertEquals(List.of(1L, 2L, 3L, 11L, 12L, 13L), failed.subList(0, 6));
  }

  @Test
  void shouldMakeRoomForAWriteWhoseWaitIsOver() throws DriverException {
    int peer = fake.destination();
    int other = fake.destination();
    assertTrue(write(peer, 9_000, 1));
    long first = fake.verbs.writes.getFirst();
    refuseWrite();
    fake.verbs.writeAnswer = TRY_AGAIN;
    poll();
    fake.verbs.writeAnswer = 0;
    assertTrue(write(other, 4_000, 2));
    assertTrue(write(other, 4_000, 3));
    for (int i = 4; !fake.verbs.writes.contains(first); i++) {
      assertTrue(i < 10, "writes to another peer go first for ever");
      poll();
      completeWrite();
      poll();
      write(other, 4_000, i);
    }
    assertFalse(write(other, 4_000, 10), "9000 of 10000 bytes are taken");
    while (!fake.verbs.writes.isEmpty()) {
      completeWrite();
    }
    poll();
    assertTrue(write(other, 4_000, 10));
  }
}
