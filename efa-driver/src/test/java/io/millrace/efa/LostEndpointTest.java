package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_FAILED;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.efa.ofi.FabricConstants;
import io.millrace.efa.ofi.FabricErrno;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operations of an endpoint whose completions are lost for good. */
class LostEndpointTest extends EndpointFixture {
  private int peer;

  @BeforeEach
  void resolvePeer() throws DriverException {
    peer = fake.destination();
  }

  private boolean write(long context) {
    return write(peer, 10, context);
  }

  private List<String> pollSorted() {
    return poll().stream().sorted().toList();
  }

  private void overrun() {
    fake.verbs.queueAnswer = -FabricErrno.FI_EOVERRUN;
  }

  @Test
  void shouldFailAllOperationsOnceAndIgnoreLateCompletions() throws DriverException {
    assertTrue(write(1));
    assertTrue(write(2));
    send(peer, 300, 3);
    long sent = fake.verbs.sent.getFirst().context();
    long written = fake.verbs.writes.getFirst();
    overrun();
    assertEquals(
        List.of("send 3 " + STATUS_FAILED, "write 1 " + STATUS_FAILED, "write 2 " + STATUS_FAILED),
        pollSorted());
    assertEquals(0, endpoint.operationsInFlight());
    assertDoesNotThrow(() -> endpoint.remoteMemory().deregister(region), "no write reads it");
    region = endpoint.remoteMemory().register(arena.allocate(100_000), true);
    assertTrue(write(4), "takes a slot that the provider still knows");
    assertTrue(write(5));
    // The provider sockets keeps the flag of the write at the writer's side.
    fake.verbs.completions.add(
        new FakeVerbs.Done(written, FabricConstants.FI_REMOTE_CQ_DATA, 0, 7));
    fake.verbs.completions.add(new FakeVerbs.Done(sent, 0, 0, 0));
    fake.verbs.errors.add(
        new FakeVerbs.Failed(fake.verbs.writes.getLast(), FabricErrno.FI_ENORX, 10));
    assertEquals(List.of("write 4 " + STATUS_FAILED, "write 5 " + STATUS_FAILED), pollSorted());
    assertEquals(List.of(), pollSorted());
    assertEquals(3, endpoint.fabricCounters().strayCompletions);
    for (int i = 0; i < FakeEndpoint.SEND_BUFFERS; i++) {
      Objects.requireNonNull(endpoint.acquireSendBuffer(), "all buffers are free");
    }
  }

  @Test
  void shouldFailParkedWritesAndRepeatNone() {
    assertTrue(write(1));
    long parked = fake.verbs.writes.removeFirst();
    fake.verbs.errors.add(new FakeVerbs.Failed(parked, FabricErrno.FI_ENORX, 10));
    fake.verbs.writeAnswer = -FabricErrno.FI_EAGAIN;
    assertEquals(List.of(), pollSorted());
    fake.verbs.writeAnswer = 0;
    overrun();
    assertEquals(List.of("write 1 " + STATUS_FAILED), pollSorted());
    fake.nowNs += 10_000_000_000L;
    assertEquals(List.of(), pollSorted());
    assertEquals(List.of(), fake.verbs.writes);
    assertEquals(0, endpoint.operationsInFlight());
  }

  @Test
  void shouldFailAWriteOnceThatHadFailedAlready() {
    fake.verbs.writeAnswer = -FabricErrno.FI_EINVAL;
    assertTrue(write(1));
    fake.verbs.writeAnswer = 0;
    overrun();
    assertEquals(1, pollSorted().size());
    assertEquals(List.of(), pollSorted());
    assertFalse(endpoint.isUp());
  }

  @Test
  void shouldKeepAddressesWithTheProvider() {
    assertTrue(write(1));
    endpoint.release(peer);
    overrun();
    assertEquals(List.of("write 1 " + STATUS_FAILED), pollSorted());
    assertEquals(0, fake.library.calls.stream().filter(c -> c.startsWith("remove")).count());
  }
}
