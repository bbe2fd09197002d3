package io.millrace.udp.linux;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.driver.DriverException;
import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.driver.RecordingHandler;
import io.millrace.testkit.internal.driver.RecordingHandler.PathLimit;
import io.millrace.udp.internal.DestinationTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathEventsTest {
  private final DestinationTable destinations = new DestinationTable();
  private final PathEvents events = new PathEvents(destinations);

  private int add() throws DriverException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    int destination = destinations.add(address, 1_400);
    events.makeRoomFor(destination);
    return destination;
  }

  @Test
  void shouldTellEachDestinationsNewsOnceInOrder() throws DriverException {
    int first = add();
    int second = add();
    events.onUnreachable(second);
    events.onUnreachable(second);
    events.onPathMax(first, 1_200);
    events.onPathMax(first, 1_100);
    events.onUnreachable(first);
    RecordingHandler record = new RecordingHandler();
    assertEquals(3, events.deliver(record));
    assertEquals(List.of(second, first), record.unreachable());
    assertEquals(List.of(new PathLimit(first, 1_100)), record.pathLimits());
    assertEquals(0, events.deliver(record));
  }

  @Test
  void shouldTellWhatTheLastRefusalQuotes() throws DriverException {
    int first = add();
    int second = add();
    SegmentBuffer quoted = new SegmentBuffer(new byte[] {9, 1, 2, 3, 4});
    events.onRefused(second, quoted, 1, 4);
    events.onRefused(second, quoted, 2, 2);
    events.onRefused(first, quoted, 0, 0);
    RecordingHandler record = new RecordingHandler();
    assertEquals(2, events.deliver(record));
    assertEquals(List.of(second, first), record.unreachable());
    assertArrayEquals(new byte[] {2, 3}, record.quotes().getFirst());
    assertEquals(0, record.quotes().getLast().length);
  }

  @Test
  void shouldNotTellNewsOfReleasedDestination() throws DriverException {
    int destination = add();
    for (int round = 0; round < 200; round++) {
      events.onUnreachable(destination);
      events.forget(destination);
    }
    RecordingHandler record = new RecordingHandler();
    assertEquals(0, events.deliver(record));
    events.onUnreachable(destination);
    assertEquals(1, events.deliver(record));
  }

  @Test
  void shouldKeepNewsWhileTableGrows() throws DriverException {
    List<Integer> expected = new ArrayList<>();
    RecordingHandler ignored = new RecordingHandler();
    events.onUnreachable(add());
    events.deliver(ignored);
    for (int i = 0; i < 1_000; i++) {
      int destination = add();
      events.onUnreachable(destination);
      expected.add(destination);
    }
    RecordingHandler record = new RecordingHandler();
    events.deliver(record);
    assertEquals(expected, record.unreachable());
  }
}
