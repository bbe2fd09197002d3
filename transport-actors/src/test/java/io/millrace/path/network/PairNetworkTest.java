package io.millrace.path.network;

import static io.millrace.path.network.PairNetwork.Fate.CARRIED;
import static io.millrace.path.network.PairNetwork.Fate.LATE;
import static io.millrace.path.network.PairNetwork.Fate.LOST;
import static io.millrace.path.network.PairNetwork.Fate.QUEUE_FULL;
import static io.millrace.path.network.PairNetwork.Fate.TOO_LONG;
import static io.millrace.path.network.PairNetwork.Fate.TWICE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.driver.SendBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PairNetworkTest {
  private static final long WAY_NS = 1_000;

  private final List<PairNetwork.Fate> fates = new ArrayList<>();
  private final PairNetwork network =
      new PairNetwork(1, (nowNs, from, lengthBytes, fate) -> fates.add(fate));

  PairNetworkTest() {
    network.latencyNs = WAY_NS;
  }

  /** Sends datagrams of these lengths from the left end. */
  private void send(long nowNs, int... lengths) {
    for (int length : lengths) {
      SendBuffer buffer = Objects.requireNonNull(network.left().acquireSendBuffer(0));
      network.left().postPacket(0, buffer, length);
    }
    network.left().flush(nowNs);
  }

  /** Returns the lengths of the datagrams that have arrived at the right end. */
  private List<Integer> arrivals(long nowNs) {
    List<Integer> lengths = new ArrayList<>();
    network.right().poll((buffer, offset, length, ecn) -> lengths.add(length), nowNs);
    return lengths;
  }

  @Test
  void shouldDeliverDatagramsOfATrainInOrderAfterTheLatency() {
    SendBuffer buffer = Objects.requireNonNull(network.left().acquireSendBuffer(0));
    network.left().postSend(0, 0, buffer, 25, 10);
    network.left().flush(5);
    assertEquals(List.of(), arrivals(5 + WAY_NS - 1));
    assertEquals(List.of(10, 10, 5), arrivals(5 + WAY_NS));
    assertEquals(List.of(), arrivals(Long.MAX_VALUE));
  }

  @Test
  void shouldTreatEachDatagramAsTheFieldsSay() {
    network.mtuBytes = 50;
    network.losing = 2;
    send(0, 10, 11, 51);
    network.duplication = 1;
    send(0, 12);
    network.duplication = 0;
    network.reordering = 1;
    send(0, 13);
    network.reordering = 0;
    send(0, 14);
    assertEquals(List.of(CARRIED, LOST, TOO_LONG, TWICE, LATE, CARRIED), fates);
    assertEquals(List.of(10, 12, 12, 14), arrivals(WAY_NS));
    assertEquals(List.of(13), arrivals(4 * WAY_NS));
    assertEquals(6, network.sent());
    assertEquals(2, network.dropped());
  }

  @Test
  void shouldCarryNoMoreThanTheRateAndTheQueueAllow() {
    network.bytesPerSecond = 1_000_000_000;
    network.queueBytes = 150;
    send(0, 100, 100, 100);
    assertEquals(List.of(CARRIED, CARRIED, QUEUE_FULL), fates);
    assertEquals(List.of(100), arrivals(WAY_NS + 100));
    assertEquals(List.of(100), arrivals(WAY_NS + 200));
  }

  /** A wire that becomes faster does not make bytes of the time that the queue still takes. */
  @Test
  void shouldCountTheBytesInTheQueueAlthoughTheRateChanges() {
    network.bytesPerSecond = 1_000_000;
    network.queueBytes = 150;
    send(0, 100);
    network.bytesPerSecond = 1_000_000_000;
    send(0, 100);
    network.bytesPerSecond = 1_000;
    send(0, 100);
    assertEquals(List.of(CARRIED, CARRIED, QUEUE_FULL), fates);
  }

  @Test
  void shouldFreeBuffersWithTheNextPollOnly() {
    for (int i = 0; i < PairNetwork.BUFFERS; i++) {
      send(0, 1);
    }
    assertNull(network.left().acquireSendBuffer(0));
    network.left().poll((buffer, offset, length, ecn) -> {}, 0);
    send(0, 1);
    assertEquals(PairNetwork.BUFFERS + 1, network.sent());
  }
}
