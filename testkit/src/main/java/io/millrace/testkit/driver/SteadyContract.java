package io.millrace.testkit.driver;

import static io.millrace.testkit.internal.driver.Node.turnUntil;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.driver.Node;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counters, and the allocations of the steady path: none. */
interface SteadyContract extends DriverUnderTest {
  /** Most bytes that the JVM may allocate on its own account while 100,000 trains pass. */
  long STRAY_BYTES = 64 << 10;

  /**
   * Rounds after which the compiler has had its time; code that is compiled late still allocates.
   */
  int MAX_ROUNDS = 20;

  @Test
  default void shouldCountWhatItSendsAndReceives() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      List<byte[]> arrived = receiver.record().datagrams();
      for (int round = 1; round <= 10; round++) {
        int expected = round * 4;
        sender.post(destination, round, 3_500, 1_000, round);
        assertTrue(turnUntil(() -> arrived.size() == expected, sender, receiver));
      }
      EndpointCounters sent = sender.endpoint().counters();
      assertEquals(40, sent.datagramsSent);
      assertEquals(35_000, sent.bytesSent);
      assertEquals(0, sent.sendFailures);
      assertTrue(sent.sendCalls >= 10 && sent.sendCalls <= 40, "calls " + sent.sendCalls);
      assertEquals(0, sent.datagramsReceived);
      EndpointCounters received = receiver.endpoint().counters();
      assertEquals(40, received.datagramsReceived);
      assertEquals(35_000, received.bytesReceived);
      assertTrue(received.receiveCalls >= 1 && received.receiveCalls <= 40);
      assertEquals(0, received.receiveQueueDrops);
      assertEquals(0, received.datagramsSent);
    }
  }

  @Test
  default void shouldNotAllocateInSteadyState() throws DriverException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Endpoint sender = open();
        Endpoint receiver = open()) {
      int destination = sender.resolve(receiver.localAddress());
      Tally tally = new Tally();
      long allocated = Long.MAX_VALUE;
      for (int round = 0; round < MAX_ROUNDS && allocated >= STRAY_BYTES; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        run(sender, receiver, destination, tally, steadyTrains());
        allocated = threads.getCurrentThreadAllocatedBytes() - before;
      }
      long least = allocated;
      assertTrue(
          least < STRAY_BYTES,
          () -> least + " bytes were allocated while " + steadyTrains() + " trains passed");
    }
  }

  private static void run(
      Endpoint sender, Endpoint receiver, int destination, Tally tally, int trains) {
    long target = tally.datagrams + 2L * trains;
    for (int i = 0; i < trains; i++) {
      SendBuffer buffer = sender.acquireSendBuffer();
      while (buffer == null) {
        sender.poll(tally, 16);
        receiver.poll(tally, 16);
        buffer = sender.acquireSendBuffer();
      }
      buffer.buffer().putLong(0, i);
      sender.postSend(destination, buffer, 300, 200, i);
      sender.flush();
      sender.poll(tally, 16);
      receiver.poll(tally, 16);
    }
    for (int turn = 0; turn < 10_000_000 && !tally.isComplete(target); turn++) {
      sender.poll(tally, 16);
      receiver.poll(tally, 16);
    }
    assertEquals(target, tally.datagrams);
    assertEquals(target / 2, tally.completions);
  }

  /** Counts, and keeps nothing. */
  final class Tally implements CompletionHandler {
    private long datagrams;
    private long completions;

    /** A datagram may arrive before its sender gets the completion. */
    private boolean isComplete(long target) {
      return datagrams >= target && completions >= target / 2;
    }

    @Override
    public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
      datagrams++;
    }

    @Override
    public void onSendComplete(long context, int status) {
      completions++;
    }
  }
}
