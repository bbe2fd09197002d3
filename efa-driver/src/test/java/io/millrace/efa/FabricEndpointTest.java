package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_FAILED;
import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static io.millrace.driver.CompletionHandler.STATUS_REMOTE_ACCESS;
import static io.millrace.driver.CompletionHandler.STATUS_UNREACHABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.RemoteWrite;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricErrno;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The reaction of the endpoint to a provider's answers, above all to rare answers. */
class FabricEndpointTest extends EndpointFixture {
  private static final long TRY_AGAIN = -FabricErrno.FI_EAGAIN;

  @Test
  void shouldCompleteTrainOnceAllItsDatagramsAre() throws DriverException {
    int peer = fake.destination();
    send(peer, 250, 5);
    assertEquals(3, fake.verbs.sent.size());
    fake.completeSend();
    fake.completeSend();
    assertEquals(List.of(), poll());
    fake.completeSend();
    assertEquals(List.of("send 5 " + STATUS_OK), poll());
    assertEquals(0, endpoint.operationsInFlight());
  }

  @Test
  void shouldResumeTrainInTheMiddleOnceTheProviderTakesMore() throws DriverException {
    int peer = fake.destination();
    post(peer, 400, 5);
    post(peer, 100, 6);
    fake.verbs.answers.put(0L, TRY_AGAIN);
    endpoint.flush();
    assertEquals(0, fake.verbs.sent.size());
    fake.verbs.answers.clear();
    assertEquals(List.of(), poll());
    assertEquals(5, fake.verbs.sent.size());
    for (int i = 0; i < 5; i++) {
      fake.completeSend();
    }
    assertEquals(List.of("send 5 " + STATUS_OK, "send 6 " + STATUS_OK), poll());
  }

  @Test
  void shouldNotHoldUpOthersWhileOneDestinationRefuses() throws DriverException {
    int refusing = fake.destination();
    int healthy = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    post(refusing, 100, 1);
    post(refusing, 100, 2);
    send(healthy, 100, 3);
    assertEquals(List.of(1L), fake.verbs.sent.stream().map(FakeVerbs.Sent::destination).toList());
    assertEquals(1, endpoint.fabricCounters().tryAgains, "the second train was not even tried");
  }

  @Test
  void shouldKeepOrderWithinDestinationThatRefusedForAWhile() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 1);
    post(peer, 90, 2);
    fake.verbs.answers.clear();
    endpoint.flush();
    assertEquals(List.of(100L, 90L), fake.verbs.sent.stream().map(FakeVerbs.Sent::bytes).toList());
  }

  @Test
  void shouldKeepAQuarterOfTheBuffersFromDestinationsThatRefuse() throws DriverException {
    int first = fake.destination();
    int second = fake.destination();
    int healthy = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    fake.verbs.answers.put(1L, TRY_AGAIN);
    for (int i = 0; i < FakeEndpoint.SEND_BUFFERS; i++) {
      post(i % 2 == 0 ? first : second, 100, i);
      endpoint.flush();
    }
    assertEquals(List.of("send 6 " + STATUS_FAILED, "send 7 " + STATUS_FAILED), poll());
    send(healthy, 100, 8);
    assertEquals(1, fake.verbs.sent.size());
    assertNotNull(endpoint.acquireSendBuffer());
    assertNull(endpoint.acquireSendBuffer());
  }

  @Test
  void shouldGiveUpDestinationThatRefusesForTooLong() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 1);
    fake.nowNs += PeerHolds.LIMIT_NS;
    assertEquals(List.of("held " + peer + " QUEUE_FULL"), poll());
    assertEquals(List.of(), poll());
    fake.nowNs++;
    assertEquals(List.of("let go " + peer), poll());
    assertEquals(List.of("send 1 " + STATUS_UNREACHABLE, "unreachable " + peer), poll());
    assertEquals(0, endpoint.operationsInFlight());
  }

  @Test
  void shouldForgetOldRefusalsOnceSomethingIsTaken() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 1);
    fake.verbs.answers.clear();
    endpoint.flush();
    fake.nowNs += 2 * PeerHolds.LIMIT_NS;
    fake.verbs.answers.put(0L, TRY_AGAIN);
    send(peer, 100, 2);
    assertEquals(List.of(), poll());
  }

  @Test
  void shouldReportRefusedPeerAsUnreachable() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, (long) -FabricErrno.FI_ECONNREFUSED);
    send(peer, 250, 1);
    assertEquals(List.of("send 1 " + STATUS_UNREACHABLE, "unreachable " + peer), poll());
    assertEquals(3, endpoint.counters().sendFailures);
  }

  @Test
  void shouldNotBlameSuccessorForUnreportedFailure() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, (long) -FabricErrno.FI_ECONNREFUSED);
    send(peer, 100, 1);
    endpoint.release(peer);
    assertEquals(peer, fake.destination(), "the number is used again");
    assertEquals(List.of("send 1 " + STATUS_UNREACHABLE), poll());
  }

  @Test
  void shouldUseNumberAgainOnlyAfterItsOperations() throws DriverException {
    int peer = fake.destination();
    send(peer, 100, 1);
    endpoint.release(peer);
    assertNotEquals(peer, fake.destination());
    long context = fake.verbs.sent.getFirst().context();
    fake.verbs.errors.add(new FakeVerbs.Failed(context, FabricErrno.FI_ENOTCONN, 0));
    assertEquals(List.of("send 1 " + STATUS_UNREACHABLE), poll());
    assertEquals(peer, fake.destination(), "the number is used again");
  }

  @Test
  void shouldRemoveAddressOnlyAfterItsSendsAndWrites() throws DriverException {
    int peer = fake.destination();
    send(peer, 200, 1);
    assertTrue(write(peer, 10, 2));
    long writing = fake.verbs.writes.getFirst();
    endpoint.release(peer);
    fake.completeSend();
    fake.completeSend();
    assertEquals(List.of("send 1 " + STATUS_OK), poll());
    assertFalse(fake.library.calls.contains("remove 0"), "a write is under way");
    fake.verbs.completions.add(new FakeVerbs.Done(writing, 0, 0, 0));
    assertEquals(List.of("write 2 " + STATUS_OK), poll());
    assertTrue(fake.library.calls.contains("remove 0"));
  }

  @Test
  void shouldRemoveAddressOnlyAfterTheLastSend() throws DriverException {
    int peer = fake.destination();
    send(peer, 200, 1);
    endpoint.release(peer);
    fake.completeSend();
    poll();
    assertFalse(fake.library.calls.contains("remove 0"), "a send is under way");
    fake.completeSend();
    poll();
    assertTrue(fake.library.calls.contains("remove 0"));
  }

  @Test
  void shouldKeepAddressThatIsResolvedAgainDuringItsLastOperation() throws DriverException {
    int peer = fake.destination();
    send(peer, 100, 1);
    endpoint.release(peer);
    int again = endpoint.resolve(new EndpointAddress("fabric:fake", new byte[] {2}));
    fake.completeSend();
    poll();
    assertFalse(fake.library.calls.contains("remove 0"));
    endpoint.release(again);
    assertTrue(fake.library.calls.contains("remove 0"));
  }

  @Test
  void shouldFailWhatWaitsForReleasedDestination() throws DriverException {
    int peer = fake.destination();
    post(peer, 100, 1);
    endpoint.release(peer);
    assertEquals(List.of("send 1 " + STATUS_FAILED), poll());
    assertEquals(List.of(), fake.verbs.sent);
  }

  @Test
  void shouldUseOneEntryOfTheAddressVectorForOnePeer() throws DriverException {
    int first = fake.destination();
    int second = endpoint.resolve(new EndpointAddress("fabric:fake", new byte[] {2}));
    assertEquals(1, fake.library.calls.stream().filter("insert"::equals).count());
    endpoint.release(first);
    assertFalse(fake.library.calls.contains("remove 0"));
    send(second, 100, 1);
    assertEquals(0, fake.verbs.sent.getFirst().destination());
    fake.completeSend();
    poll();
    endpoint.release(second);
    assertTrue(fake.library.calls.contains("remove 0"));
  }

  @Test
  void shouldAskForCompletionAtTheTarget() throws DriverException {
    int peer = fake.destination();
    assertTrue(write(peer, 10, 1));
    long plain = FabricConstants.FI_COMPLETION | FabricConstants.FI_DELIVERY_COMPLETE;
    assertEquals(plain, fake.verbs.writeFlags);
    RemoteWrite immediate =
        new RemoteWrite().source(region, 0, 10).target(0, 1).immediate(Long.MIN_VALUE);
    assertTrue(endpoint.remoteMemory().postWrite(peer, immediate, 2));
    assertEquals(plain | FabricConstants.FI_REMOTE_CQ_DATA, fake.verbs.writeFlags);
  }

  @Test
  void shouldTellWriteErrorsApart() throws DriverException {
    int peer = fake.destination();
    // the number may be negated, and a device has a number of its own
    int[][] errors = {
      {FabricErrno.FI_EACCES, -13, STATUS_REMOTE_ACCESS},
      {-FabricErrno.FI_EACCES, 0, STATUS_REMOTE_ACCESS},
      {FabricErrno.FI_EINVAL, 7, STATUS_REMOTE_ACCESS},
      {FabricErrno.FI_EINVAL, 0, STATUS_FAILED},
      {5, 0, STATUS_FAILED},
    };
    for (int[] error : errors) {
      assertTrue(write(peer, 10, 1));
      long context = fake.verbs.writes.removeFirst();
      fake.verbs.errors.add(new FakeVerbs.Failed(context, error[0], error[1]));
      assertEquals(List.of("write 1 " + error[2]), poll(), "errno " + error[0]);
    }
    assertTrue(write(peer, 10, 1));
    long context = fake.verbs.writes.removeFirst();
    fake.verbs.errors.add(new FakeVerbs.Failed(context, FabricErrno.FI_ECANCELED, 107));
    assertEquals(List.of("write 1 " + STATUS_UNREACHABLE, "unreachable " + peer), poll());
  }

  @Test
  void shouldCompleteWriteThatFailedAtThePost() throws DriverException {
    int peer = fake.destination();
    fake.verbs.writeAnswer = -FabricErrno.FI_ENOENT;
    assertTrue(write(peer, 10, 1));
    assertTrue(write(peer, 10, 2));
    assertEquals(
        2, poll().stream().filter(line -> line.endsWith(" " + STATUS_UNREACHABLE)).count());
    assertEquals(0, endpoint.operationsInFlight());
    assertEquals(2, endpoint.fabricCounters().writesFailed);
  }

  @Test
  void shouldLetCallerTryWriteAgain() throws DriverException {
    int peer = fake.destination();
    fake.verbs.writeAnswer = TRY_AGAIN;
    assertFalse(write(peer, 10, 1));
    assertEquals(0, endpoint.operationsInFlight());
    for (long ns = 0; ns < PeerHolds.LIMIT_NS; ns += PeerHolds.NOTICE_NS) {
      fake.nowNs += PeerHolds.NOTICE_NS;
      assertFalse(write(peer, 10, 1));
    }
    fake.nowNs++;
    assertTrue(write(peer, 10, 1), "given up, which is an outcome");
    assertEquals(List.of("write 1 " + STATUS_UNREACHABLE, "unreachable " + peer), poll());
  }

  @Test
  void shouldBoundBytesOfWritesButLetOneThrough() throws DriverException {
    int peer = fake.destination();
    assertTrue(write(peer, 50_000, 1), "more than the bound of 10,000");
    assertFalse(write(peer, 1, 2));
    fake.verbs.completions.add(new FakeVerbs.Done(fake.verbs.writes.getFirst(), 0, 0, 0));
    assertEquals(List.of("write 1 " + STATUS_OK), poll());
    assertTrue(write(peer, 9_000, 3));
    assertFalse(write(peer, 1_001, 4));
    assertTrue(write(peer, 1_000, 5));
  }

  @Test
  void shouldKeepReceivesPosted() {
    assertEquals(8, fake.verbs.receives.size());
    long context = fake.verbs.receives.getFirst();
    fake.verbs.receiveAnswer = TRY_AGAIN;
    fake.verbs.completions.add(new FakeVerbs.Done(context, FabricConstants.FI_RECV, 99, 0));
    assertEquals(List.of("receive 99"), poll());
    assertEquals(7, endpoint.postedReceives());
    fake.verbs.receiveAnswer = 0;
    poll();
    assertEquals(8, endpoint.postedReceives());
    fake.verbs.errors.add(new FakeVerbs.Failed(context, FabricErrno.FI_ETRUNC, 0));
    fake.verbs.errors.add(new FakeVerbs.Failed(fake.verbs.receives.get(1), 5, 0));
    assertEquals(List.of(), poll());
    assertEquals(8, endpoint.postedReceives());
    assertEquals(1, endpoint.counters().oversizedDrops);
    assertEquals(1, endpoint.fabricCounters().failedReceives);
    assertEquals(1, endpoint.counters().ofDriver().get("failed_receives"));
    assertEquals(
        FabricCounters.class.getDeclaredFields().length, endpoint.counters().ofDriver().size());
  }

  @Test
  void shouldCountCompletionsThatAreNobodys() throws DriverException {
    int peer = fake.destination();
    assertTrue(write(peer, 10, 1));
    long context = fake.verbs.writes.getFirst();
    fake.verbs.completions.add(new FakeVerbs.Done(context, 0, 0, 0));
    fake.verbs.completions.add(new FakeVerbs.Done(context, 0, 0, 0));
    fake.verbs.completions.add(new FakeVerbs.Done(context + 8, 0, 0, 0));
    fake.verbs.completions.add(new FakeVerbs.Done(0, FabricConstants.FI_REMOTE_CQ_DATA, 0, 55));
    assertEquals(List.of("write 1 " + STATUS_OK, "remote write 55"), poll());
    fake.verbs.errors.add(new FakeVerbs.Failed(0, -5, 0));
    assertEquals(List.of(), poll());
    assertEquals(3, endpoint.fabricCounters().strayCompletions);
  }

  @Test
  void shouldCountFailuresOfTheQueueAndEvents() {
    fake.verbs.queueAnswer = -5;
    fake.verbs.events = 3;
    for (int i = 0; i < 1_024; i++) {
      poll();
    }
    assertEquals(1_024, endpoint.fabricCounters().queueErrors);
    assertEquals(3, endpoint.fabricCounters().asyncEvents);
  }

  @Test
  void shouldBeDownWhileItsQueueGivesNothingButErrors() {
    fake.verbs.queueAnswer = -5;
    poll();
    assertTrue(endpoint.isUp(), "one error is none");
    for (int i = 0; i < 8; i++) {
      poll();
    }
    assertFalse(endpoint.isUp());
    fake.verbs.queueAnswer = 0;
    poll();
    assertTrue(endpoint.isUp());
  }

  @Test
  void shouldFailForGoodOnceItsQueueHasOverrun() throws DriverException {
    int peer = fake.destination();
    fake.verbs.answers.put(0L, TRY_AGAIN);
    post(peer, 100, 1);
    assertNull(endpoint.fault());
    fake.verbs.queueAnswer = -FabricErrno.FI_EOVERRUN;
    assertEquals(List.of("send 1 " + STATUS_FAILED), poll(), "waiting trains end");
    fake.verbs.queueAnswer = 0;
    assertFalse(endpoint.isUp());
    assertTrue(String.valueOf(endpoint.fault()).contains("overrun"), endpoint.fault());
    fake.verbs.answers.clear();
    send(peer, 100, 2);
    assertTrue(write(peer, 10, 3));
    assertEquals(List.of("send 2 " + STATUS_FAILED, "write 3 " + STATUS_FAILED), poll());
    assertEquals(List.of(), fake.verbs.sent);
    assertEquals(List.of(), fake.verbs.writes);
    assertFalse(endpoint.isUp(), "completions are lost");
  }

  @Test
  void shouldNameTheErrorOfABrokenQueue() {
    fake.verbs.queueAnswer = -19;
    for (int i = 0; i < EndpointHealth.BROKEN_ERRORS; i++) {
      poll();
    }
    assertTrue(String.valueOf(endpoint.fault()).contains("19"), endpoint.fault());
  }

  @Test
  void shouldBeDownWhileAnErrorCannotBeRead() {
    fake.verbs.queueAnswer = -FabricErrno.FI_EAVAIL;
    for (int i = 0; i < EndpointHealth.BROKEN_ERRORS; i++) {
      assertTrue(endpoint.isUp(), "poll " + i);
      poll();
    }
    assertTrue(fault().contains("errors, the last of them " + FabricErrno.FI_EAVAIL), fault());
    fake.verbs.errorAnswer = -19;
    poll();
    assertTrue(fault().endsWith(" 19"), fault());
    fake.verbs.errors.add(new FakeVerbs.Failed(0, 5, 0));
    endpoint.poll(reports, 1);
    assertTrue(endpoint.isUp(), "the error was read");
    fake.verbs.errorAnswer = -FabricErrno.FI_EOVERRUN;
    poll();
    assertTrue(fault().contains("overrun"), fault());
  }

  private String fault() {
    return String.valueOf(endpoint.fault());
  }

  @Test
  void shouldDrainAFloodOfEventsInBoundedSteps() {
    fake.verbs.events = 1_000;
    for (int i = 0; i < 1_024; i++) {
      poll();
    }
    assertEquals(64, endpoint.fabricCounters().asyncEvents);
    for (int i = 0; i < 15 * 1_024; i++) {
      poll();
    }
    assertEquals(1_000, endpoint.fabricCounters().asyncEvents);
  }

  @Test
  void shouldLoseNothingWhenHandlerThrows() throws DriverException {
    for (int i = 0; i < 3; i++) {
      long context = fake.verbs.receives.get(i);
      fake.verbs.completions.add(new FakeVerbs.Done(context, FabricConstants.FI_RECV, 10 + i, 0));
    }
    CompletionHandler throwing =
        (buffer, offset, length, ecn) -> {
          throw new IllegalStateException("at " + length);
        };
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> endpoint.poll(throwing, 64));
    assertEquals("at 10", e.getMessage());
    assertEquals(List.of("receive 11", "receive 12"), poll());
    assertEquals(8, endpoint.postedReceives());
  }

  @Test
  void shouldGiveNoMoreThanTheLimit() {
    for (int i = 0; i < 5; i++) {
      long context = fake.verbs.receives.get(i);
      fake.verbs.completions.add(new FakeVerbs.Done(context, FabricConstants.FI_RECV, i, 0));
    }
    assertEquals(2, endpoint.poll(reports, 2));
    assertEquals(2, endpoint.poll(reports, 2));
    assertEquals(1, endpoint.poll(reports, 2));
    assertEquals(0, endpoint.poll(reports, 2));
    assertEquals(1, endpoint.counters().emptyPolls);
  }
}
