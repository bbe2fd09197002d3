package io.millrace.testkit.driver;

import static io.millrace.testkit.internal.driver.Node.turnUntil;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.SendBuffer;
import io.millrace.testkit.internal.driver.Node;
import io.millrace.testkit.internal.driver.RecordingHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Send buffers are bounded and go round, and each posted train comes back once. */
interface SendBufferContract extends DriverUnderTest {
  @Test
  default void shouldHaveExactlyTheSendBuffersAskedFor() throws DriverException {
    try (Endpoint endpoint = open()) {
      List<SendBuffer> acquired = acquireAll(endpoint);
      assertEquals(settings().sendBuffers(), acquired.size());
      Set<Long> addresses = new HashSet<>();
      acquired.forEach(buffer -> addresses.add(buffer.buffer().addressOffset()));
      assertEquals(acquired.size(), addresses.size(), "each buffer has memory of its own");
    }
  }

  @Test
  default void shouldTakeBackBufferThatWasNotPosted() throws DriverException {
    try (Endpoint endpoint = open()) {
      List<SendBuffer> acquired = acquireAll(endpoint);
      endpoint.releaseSendBuffer(acquired.getFirst());
      assertNotNull(endpoint.acquireSendBuffer());
      assertNull(endpoint.acquireSendBuffer());
    }
  }

  private static List<SendBuffer> acquireAll(Endpoint endpoint) {
    List<SendBuffer> acquired = new ArrayList<>();
    for (SendBuffer buffer = endpoint.acquireSendBuffer();
        buffer != null;
        buffer = endpoint.acquireSendBuffer()) {
      acquired.add(buffer);
    }
    return acquired;
  }

  @Test
  default void shouldKeepPostedBuffersUntilTheirCompletion() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      int buffers = settings().sendBuffers();
      for (int i = 0; i < buffers; i++) {
        sender.post(destination, i, 10, 10, i);
      }
      assertNull(sender.endpoint().acquireSendBuffer(), "all buffers are posted");
      List<RecordingHandler.Completion> completions = sender.record().completions();
      assertTrue(turnUntil(() -> completions.size() == buffers, sender, receiver));
      assertEquals(buffers, acquireAll(sender.endpoint()).size());
    }
  }

  @Test
  default void shouldFreeBufferBeforeItsCompletionIsReported() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      for (int i = 0; i < settings().sendBuffers(); i++) {
        sender.post(destination, i, 10, 10, i);
      }
      List<Boolean> wasFree = new ArrayList<>();
      CompletionHandler reuse =
          new NoDatagrams() {
            @Override
            public void onSendComplete(long context, int status) {
              SendBuffer buffer = sender.endpoint().acquireSendBuffer();
              wasFree.add(buffer != null);
              if (buffer != null) {
                sender.endpoint().releaseSendBuffer(buffer);
              }
            }
          };
      assertTrue(
          turnUntil(
              () -> {
                sender.endpoint().flush();
                sender.endpoint().poll(reuse, 64);
                return wasFree.size() == settings().sendBuffers();
              },
              receiver));
      assertEquals(Set.of(true), Set.copyOf(wasFree));
    }
  }

  @Test
  default void shouldKeepBytesOfAcquiredBuffersAndSendFromOthersAfterFreeOnesAreGivenBack()
      throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      SendBuffer held = Objects.requireNonNull(sender.endpoint().acquireSendBuffer());
      held.buffer().setMemory(0, 10, (byte) 7);
      sender.post(destination, 1, 10, 10, 1);
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 1, sender, receiver));
      sender.endpoint().giveBack();
      receiver.endpoint().giveBack();
      sender.endpoint().postSend(destination, held, 10, 10, 2);
      sender.post(destination, 3, 10, 10, 3);
      assertTrue(turnUntil(() -> receiver.record().datagrams().size() == 3, sender, receiver));
      byte[] wanted = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
      assertArrayEquals(wanted, receiver.record().datagrams().get(1));
    }
  }

  @Test
  default void shouldGiveEachContextBackOnce() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      int trains = 10 * settings().sendBuffers();
      List<RecordingHandler.Completion> completions = sender.record().completions();
      for (int i = 0; i < trains; i++) {
        int posted = i;
        assertTrue(
            turnUntil(
                () -> posted - completions.size() < settings().sendBuffers(), sender, receiver));
        sender.post(destination, i, 2_000, 700, Long.MIN_VALUE + i);
      }
      assertTrue(turnUntil(() -> completions.size() >= trains, sender, receiver));
      sender.turn();
      assertEquals(trains, completions.size());
      Set<Long> contexts = new HashSet<>();
      for (RecordingHandler.Completion completion : completions) {
        assertEquals(CompletionHandler.STATUS_OK, completion.status());
        assertTrue(contexts.add(completion.context()), "a context came back twice");
        long index = completion.context() - Long.MIN_VALUE;
        assertTrue(index >= 0 && index < trains, "a context that was never given");
      }
    }
  }

  @Test
  default void shouldFailTrainThatIsTooLong() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      SendBuffer buffer = sender.endpoint().acquireSendBuffer();
      assertNotNull(buffer);
      int tooMany = sender.endpoint().capabilities().maxTrainPackets() + 1;
      sender.endpoint().postSend(destination, buffer, tooMany, 1, 11);
      assertFails(sender, 11);
      assertEquals(settings().sendBuffers(), acquireAll(sender.endpoint()).size());
    }
  }

  @Test
  default void shouldFailTrainForReleasedDestination() throws DriverException {
    try (Node sender = new Node(open());
        Node receiver = new Node(open())) {
      int destination = sender.resolve(receiver);
      sender.endpoint().release(destination);
      sender.post(destination, 1, 10, 10, 12);
      assertFails(sender, 12);
      assertEquals(settings().sendBuffers(), acquireAll(sender.endpoint()).size());
    }
  }

  private static void assertFails(Node sender, long context) {
    List<RecordingHandler.Completion> completions = sender.record().completions();
    assertTrue(turnUntil(() -> completions.size() == 1, sender));
    assertEquals(context, completions.getFirst().context());
    assertNotEquals(CompletionHandler.STATUS_OK, completions.getFirst().status());
    assertEquals(1, sender.endpoint().counters().sendFailures);
  }
}
