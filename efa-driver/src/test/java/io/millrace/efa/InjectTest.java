package io.millrace.efa;

import static io.millrace.driver.CompletionHandler.STATUS_FAILED;
import static io.millrace.driver.CompletionHandler.STATUS_OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.SendBuffer;
import io.millrace.efa.ofi.FabricErrno;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.driver.NeedsDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Sends without a completion. */
class InjectTest {
  private static final int INJECT_BYTES = 64;

  /** A handler that records the ends of trains. */
  private static final class Ends implements CompletionHandler {
    final List<String> lines = new ArrayList<>();

    @Override
    public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {}

    @Override
    public void onSendComplete(long context, int status) {
      lines.add(context + " " + status);
    }
  }

  private final Ends ends = new Ends();

  private static void post(FakeEndpoint fake, int destination, int length, long context) {
    SendBuffer buffer = Objects.requireNonNull(fake.endpoint.acquireSendBuffer());
    fake.endpoint.postSend(destination, buffer, length, length, context);
    fake.endpoint.flush();
  }

  private List<String> poll(FakeEndpoint fake) {
    ends.lines.clear();
    fake.endpoint.poll(ends, 64);
    return List.copyOf(ends.lines);
  }

  @Test
  void shouldFreeTheBufferOfASmallDatagramWithoutACompletion() throws DriverException {
    try (FakeEndpoint fake = new FakeEndpoint(INJECT_BYTES)) {
      int peer = fake.destination();
      post(fake, peer, INJECT_BYTES, 5);
      assertEquals(List.of((long) INJECT_BYTES), fake.verbs.injected);
      assertEquals(0, fake.endpoint.operationsInFlight());
      assertEquals(List.of("5 " + STATUS_OK), poll(fake));
      assertEquals(1, fake.endpoint.counters().datagramsSent);
      assertEquals(1, fake.endpoint.fabricCounters().injected);
    }
  }

  @Test
  void shouldSendWhatIsLargerThanTheProviderInjects() throws DriverException {
    try (FakeEndpoint fake = new FakeEndpoint(1_000)) {
      int peer = fake.destination();
      post(fake, peer, INJECT_BYTES + 1, 5);
      assertEquals(List.of(), fake.verbs.injected);
      assertEquals(1, fake.verbs.sent.size());
      assertEquals(List.of(), poll(fake));
    }
  }

  @Test
  void shouldBoundInjectedDatagramsByTheWindow() throws DriverException {
    try (FakeEndpoint fake = new FakeEndpoint(INJECT_BYTES)) {
      int peer = fake.destination();
      for (int i = 0; i < 1_000; i++) {
        SendBuffer buffer = fake.endpoint.acquireSendBuffer();
        if (buffer != null) {
          fake.endpoint.postSend(peer, buffer, 10, 10, i);
        }
        fake.endpoint.poll(ends, 64);
      }
      long window = FakeLibrary.INFO.limits().transmitEntries();
      assertEquals(window, fake.verbs.sent.size());
      assertEquals(window * (SendQueue.INJECT_RUN - 1), fake.verbs.injected.size());
    }
  }

  @Test
  void shouldKeepTheOrderOfADestinationThatRefuses() throws DriverException {
    try (FakeEndpoint fake = new FakeEndpoint(INJECT_BYTES)) {
      int peer = fake.destination();
      fake.verbs.answers.put(0L, (long) -FabricErrno.FI_EAGAIN);
      post(fake, peer, 10, 1);
      post(fake, peer, 200, 2);
      post(fake, peer, 20, 3);
      assertEquals(List.of(), poll(fake));
      fake.verbs.answers.clear();
      fake.endpoint.flush();
      assertEquals(List.of(10L, 20L), fake.verbs.injected);
      assertEquals(List.of("1 " + STATUS_OK, "3 " + STATUS_OK), poll(fake));
      fake.completeSend();
      assertEquals(List.of("2 " + STATUS_OK), poll(fake));
    }
  }

  @Test
  void shouldFailADatagramThatTheProviderDoesNotTake() throws DriverException {
    try (FakeEndpoint fake = new FakeEndpoint(INJECT_BYTES)) {
      int peer = fake.destination();
      fake.verbs.answers.put(0L, (long) -FabricErrno.FI_EINVAL);
      post(fake, peer, 10, 1);
      assertEquals(List.of("1 " + STATUS_FAILED), poll(fake));
      assertEquals(1, fake.endpoint.counters().sendFailures);
      assertEquals(0, fake.endpoint.counters().datagramsSent);
    }
  }

  /** A repeat that was injected could not be repeated again. */
  @Test
  void shouldNotInjectARepeat() throws DriverException {
    try (FakeEndpoint fake = new FakeEndpoint(INJECT_BYTES)) {
      int peer = fake.destination();
      for (int i = 0; i < SendQueue.INJECT_RUN; i++) {
        post(fake, peer, INJECT_BYTES, i);
        poll(fake);
      }
      FakeVerbs.Sent reported = fake.verbs.sent.removeFirst();
      fake.verbs.errors.add(new FakeVerbs.Failed(reported.context(), FabricErrno.FI_ENORX, 0));
      poll(fake);
      poll(fake);
      assertEquals(SendQueue.INJECT_RUN - 1, fake.verbs.injected.size());
      assertEquals(1, fake.verbs.sent.size());
      fake.completeSend();
      assertEquals(List.of("15 " + STATUS_OK), poll(fake));
    }
  }

  @Test
  @NeedsDriver("fabric:sockets")
  void shouldInjectOverSockets() throws DriverException {
    assertInjects("sockets");
  }

  @Test
  @NeedsDriver("fabric:tcp")
  void shouldInjectOverTcp() throws DriverException {
    assertInjects("tcp");
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldInjectOverSharedMemory() throws DriverException {
    assertInjects("shm");
  }

  /** Sends datagrams of the sizes around the limits of the providers. */
  private static void assertInjects(String provider) throws DriverException {
    try (Peer left = Peer.open(provider, Peer.settings().withInject(1 << 16));
        Peer right = Peer.open(provider)) {
      int toRight = left.resolve(right);
      int count = 0;
      int most = left.endpoint.capabilities().maxDatagramBytes();
      for (int length : new int[] {40, 64, 65, 128, 129, 255, 256, 4_096, 4_097}) {
        for (int i = 0; i < 3 && length <= most; i++) {
          left.send(toRight, i, length, length, count++);
          int came = count;
          assertTrue(Peer.turnUntil(() -> right.datagrams.size() == came, left, right));
          assertEquals(length, right.datagrams.getLast().length);
        }
      }
      int sent = count;
      assertTrue(Peer.turnUntil(() -> left.sends.size() == sent, left, right));
      assertTrue(left.endpoint.fabricCounters().injected > 0);
      assertTrue(left.sends.stream().allMatch(each -> each.status() == STATUS_OK));
      assertEquals(0, left.endpoint.operationsInFlight());
      assertEquals(0, left.endpoint.fabricCounters().strayCompletions);
      left.endpoint.release(toRight);
    }
  }
}
