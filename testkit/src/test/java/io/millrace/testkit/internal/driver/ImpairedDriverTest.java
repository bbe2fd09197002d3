package io.millrace.testkit.internal.driver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.memory.SegmentBuffer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImpairedDriverTest {
  private static final EndpointSettings SETTINGS =
      EndpointSettings.defaults(new InetSocketAddress(0));
  private static final int ARRIVALS = 20_000;

  private final QueueDriver queue = new QueueDriver();

  @Test
  void shouldPassEverythingWhenNothingIsImpaired() throws DriverException {
    ImpairedDriver driver = driver(new Impairment(1, 0, 0, 0, 1, 0));
    assertEquals(numbersUpTo(ARRIVALS), receive(driver));
    assertEquals(ARRIVALS, driver.counters().getFirst().delivered);
  }

  @Test
  void shouldLoseTheShareAskedFor() throws DriverException {
    ImpairedDriver driver = driver(Impairment.loss(2, 5));
    List<Long> received = receive(driver);
    ImpairmentCounters counters = driver.counters().getFirst();
    assertEquals(ARRIVALS, counters.arrived);
    assertEquals(ARRIVALS, counters.lost + received.size());
    assertTrue(counters.lost > 800 && counters.lost < 1_200, "lost " + counters.lost);
    assertEquals(received.size(), new HashSet<>(received).size());
  }

  @Test
  void shouldLoseEverythingAtHundredPercent() throws DriverException {
    assertEquals(List.of(), receive(driver(Impairment.loss(3, 100))));
  }

  @Test
  void shouldDuplicateWithBytesOfItsOwn() throws DriverException {
    ImpairedDriver driver = driver(new Impairment(4, 0, 10, 0, 1, 0));
    List<Long> received = receive(driver);
    ImpairmentCounters counters = driver.counters().getFirst();
    assertTrue(counters.duplicated > 1_800 && counters.duplicated < 2_200);
    assertEquals(ARRIVALS + counters.duplicated, received.size());
    assertEquals(ARRIVALS, new HashSet<>(received).size());
  }

  @Test
  void shouldReorderWithinTheDistanceAskedFor() throws DriverException {
    ImpairedDriver driver = driver(new Impairment(5, 0, 0, 10, 7, 0));
    List<Long> received = receive(driver);
    ImpairmentCounters counters = driver.counters().getFirst();
    assertTrue(counters.reordered > 1_000, "reordered " + counters.reordered);
    assertEquals(ARRIVALS, received.size());
    assertEquals(ARRIVALS, new HashSet<>(received).size());
    long overtaken = 0;
    for (int i = 0; i < received.size(); i++) {
      long distance = i - received.get(i);
      assertTrue(distance >= -1 && distance <= 7, "displaced by " + distance);
      overtaken += distance > 0 ? 1 : 0;
    }
    assertEquals(counters.reordered, overtaken);
  }

  @Test
  void shouldReleaseWhatIsHeldBackWhenNothingFollows() throws DriverException {
    ImpairedDriver driver = driver(new Impairment(6, 0, 0, 100, 5, 0));
    queue.arrive(datagram(1));
    List<Long> received = new ArrayList<>();
    try (Endpoint endpoint = driver.open(SETTINGS)) {
      CompletionHandler handler =
          (buffer, offset, length, ecn) -> received.add(number(buffer, offset));
      int polled = endpoint.poll(handler, 10);
      assertEquals(1, polled);
      assertEquals(List.of(), received);
      for (int i = 0; i < 2_000 && received.isEmpty(); i++) {
        polled = endpoint.poll(handler, 10);
      }
      assertEquals(1, polled);
      assertEquals(List.of(1L), received);
      assertEquals(0, driver.counters().getFirst().reordered);
    }
  }

  @Test
  void shouldFlipOneBit() throws DriverException {
    ImpairedDriver driver = driver(new Impairment(7, 0, 0, 0, 1, 100));
    byte[] sent = Datagrams.bytes(9, 1_000);
    queue.arrive(sent);
    RecordingHandler record = new RecordingHandler();
    try (Endpoint endpoint = driver.open(SETTINGS)) {
      endpoint.poll(record, 1);
    }
    byte[] received = record.datagrams().getFirst();
    int flipped = 0;
    for (int i = 0; i < sent.length; i++) {
      flipped += Integer.bitCount((sent[i] ^ received[i]) & 0xFF);
    }
    assertEquals(1, flipped);
    assertEquals(1, driver.counters().getFirst().corrupted);
  }

  @Test
  void shouldDoTheSameForTheSameSeed() throws DriverException {
    List<Long> first = receive(driver(new Impairment(8, 5, 5, 5, 5, 0)));
    List<Long> second = receive(driver(new Impairment(8, 5, 5, 5, 5, 0)));
    List<Long> other = receive(driver(new Impairment(9, 5, 5, 5, 5, 0)));
    assertEquals(first, second);
    assertNotEquals(first, other);
  }

  @Test
  void shouldHandOnNativeMemoryAndMarks() throws DriverException {
    ImpairedDriver driver = driver(new Impairment(10, 0, 100, 0, 1, 0));
    byte[] sent = Datagrams.bytes(1, 64);
    queue.arrive(sent);
    List<byte[]> copies = new ArrayList<>();
    try (Endpoint endpoint = driver.open(SETTINGS)) {
      endpoint.poll(
          (buffer, offset, length, ecn) -> {
            assertEquals(1, ecn);
            assertNull(buffer.byteArray(), "handlers may pass the address to native code");
            byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            copies.add(bytes);
            buffer.setMemory(offset, length, (byte) 0);
          },
          10);
    }
    assertEquals(2, copies.size());
    assertArrayEquals(sent, copies.get(0));
    assertArrayEquals(sent, copies.get(1));
  }

  @Test
  void shouldRefuseNonsense() {
    assertThrows(IllegalArgumentException.class, () -> Impairment.loss(1, 101));
    assertThrows(IllegalArgumentException.class, () -> Impairment.loss(1, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new Impairment(1, 0, 0, 0, 0, 0));
  }

  private ImpairedDriver driver(Impairment impairment) {
    return new ImpairedDriver(queue, impairment);
  }

  private List<Long> receive(ImpairedDriver driver) throws DriverException {
    for (long i = 0; i < ARRIVALS; i++) {
      queue.arrive(datagram(i));
    }
    List<Long> received = new ArrayList<>();
    try (Endpoint endpoint = driver.open(SETTINGS)) {
      CompletionHandler handler =
          (buffer, offset, length, ecn) -> received.add(number(buffer, offset));
      for (int i = 0; i < ARRIVALS; i++) {
        endpoint.poll(handler, 16);
      }
    }
    return received;
  }

  private static byte[] datagram(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static long number(SegmentBuffer buffer, int offset) {
    return buffer.getLong(offset, ByteOrder.BIG_ENDIAN);
  }

  private static List<Long> numbersUpTo(int count) {
    List<Long> numbers = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      numbers.add(i);
    }
    return numbers;
  }
}
