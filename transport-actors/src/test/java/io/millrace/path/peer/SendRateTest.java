package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.body.ArraySource;
import io.millrace.crypto.AeadProviders;
import io.millrace.protocol.schedule.PriorityScheduler;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A worker whose NIC has a rate, or whose flows have a rate. Time goes from event to event. */
class SendRateTest {
  private static final RouteId COUNT = RouteId.of("count");
  private static final RouteId STORE = RouteId.of("store");
  private static final int BODY_BYTES = 1 << 20;
  private static final int ETHERNET = 1_472;
  private static final int JUMBO = 8_972;
  private static final int CALL_BYTES = 1_000;
  private static final int LEAST_WAITING = 100;
  private static final int LEVELS = PriorityScheduler.LEVELS;
  private static final long MEGABIT = 1_000_000;
  private static final long STEP_NS = 20_000;
  private static final long SETTLING_NS = 50_000_000;
  private static final long LIMIT_NS = 20_000_000_000L;

  /** The largest size of urgent packets: acknowledgements and probes. */
  private static final int URGENT_BYTES = 300;

  private WorkerLab client = lab("", ETHERNET);
  private final WorkerLab server = lab("", JUMBO);
  private PeerLink link = client.link(1);
  private final long[] servedBytes = new long[LEVELS];
  private final int[] calls = new int[LEVELS];
  private double burstBytes;
  private double mostBurstBytes;
  private long lastSentNs;
  private long firstSentNs;
  private long sentBytes;
  private long bytesPerSecond = Long.MAX_VALUE;

  private static WorkerLab lab(String overrides, int datagramBytes) {
    FakeEndpoint endpoint = new FakeEndpoint(64, 64);
    endpoint.pathMaxDatagramBytes = datagramBytes;
    endpoint.sourcePorts = overrides.contains("ports") ? 5 : 1;
    return new WorkerLab(endpoint, overrides, AeadProviders.discover().select(0), 256);
  }

  private PeerPath open(String overrides, long bitsPerSecond, int datagramBytes) throws Exception {
    client = lab(overrides, datagramBytes);
    link = client.link(1);
    bytesPerSecond = bitsPerSecond / Byte.SIZE;
    server.routes.add(
        COUNT,
        call -> {
          servedBytes[call.priority()] += call.payloadLength();
          call.reply(call.buffer(), call.payloadOffset(), 0);
        });
    server.routes.add(
        STORE,
        (peer, priority, headers, payloadBytes) ->
            CompletableFuture.completedFuture(new Nowhere()));
    final PeerPath path = client.open(link, WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES));
    server.open(server.link(1), WorkerLab.terms(1, false, WorkerLab.WINDOW_BYTES));
    // Probes find the size of datagrams out, and wait for no rate.
    long startNs = client.nowNs;
    while (client.nowNs - startNs < SETTLING_NS) {
      exchange();
    }
    sentBytes = 0;
    mostBurstBytes = 0;
    return path;
  }

  /** Both sides take turns now, and time moves to the next event. */
  private void exchange() {
    client.turn();
    byte[] datagram = client.endpoint.sent.poll();
    while (datagram != null) {
      onSent(datagram.length);
      server.endpoint.arrivals.add(datagram);
      datagram = client.endpoint.sent.poll();
    }
    server.nowNs = client.nowNs;
    server.turn();
    client.endpoint.arrivals.addAll(server.endpoint.sent);
    server.endpoint.sent.clear();
    long nextNs = client.nowNs + (client.endpoint.arrivals.isEmpty() ? STEP_NS : 1);
    client.nowNs = Math.max(client.nowNs + 1, Math.min(nextNs, client.nextSendNs()));
  }

  /**
   * A bucket that the rate empties: the level tells by how many bytes a time span exceeded the
   * rate.
   */
  private void onSent(int bytes) {
    if (sentBytes == 0) {
      firstSentNs = client.nowNs;
    }
    burstBytes -= (client.nowNs - lastSentNs) * (bytesPerSecond / 1e9);
    burstBytes = Math.max(burstBytes, 0) + bytes;
    mostBurstBytes = Math.max(mostBurstBytes, burstBytes);
    lastSentNs = client.nowNs;
    sentBytes += bytes;
  }

  /** Begins to send bulk for 20 ms or more. */
  private TestCall sendBulk(int level) {
    int bytes = (int) Math.max(BODY_BYTES, bytesPerSecond / 50);
    ArraySource source = new ArraySource(new byte[bytes], 0, bytes);
    TestCall bulk = new TestCall(link, STORE.id(), level, new byte[0], source);
    link.onCall(bulk, client.nowNs);
    return bulk;
  }

  private void finish(TestCall bulk) {
    while (bulk.outcome == null && client.nowNs < LIMIT_NS) {
      exchange();
    }
    assertEquals(CallOutcome.OK, bulk.outcome);
    assertEquals(List.of(), client.faults);
  }

  private void call(int level) {
    calls[level]++;
    byte[] payload = new byte[CALL_BYTES];
    link.onCall(new TestCall(link, COUNT.id(), level, payload, null), client.nowNs);
  }

  private static long wholeTrainBytes(long bytesPerSecond, int packetBytes) {
    return Math.max(packetBytes, Math.min(64 << 10, bytesPerSecond / 4_000));
  }

  @ParameterizedTest
  @CsvSource({"20, 1472", "100, 1472", "100, 8972", "1000, 1472", "5000, 8972"})
  void shouldKeepToRateOfNicAndReachIt(int megabits, int datagramBytes) throws Exception {
    long rate = megabits * MEGABIT;
    open("millrace.nic.send-rate = " + megabits + " Mbit/s", rate, datagramBytes);
    finish(sendBulk(3));
    double seconds = (lastSentNs - firstSentNs) / 1e9;
    double share = sentBytes / seconds / bytesPerSecond;
    assertTrue(share >= 0.99, "share of the rate: " + share);
    long most = wholeTrainBytes(bytesPerSecond, datagramBytes) + URGENT_BYTES;
    assertTrue(mostBurstBytes <= most, mostBurstBytes + " > " + most);
  }

  @Test
  void shouldSaveNothingUpWhileIdle() throws Exception {
    open("millrace.nic.send-rate = 1 Gbit/s", 1_000 * MEGABIT, ETHERNET);
    finish(sendBulk(3));
    client.nowNs += 1_000_000_000;
    mostBurstBytes = 0;
    finish(sendBulk(3));
    long most = wholeTrainBytes(bytesPerSecond, ETHERNET) / 2 + URGENT_BYTES;
    assertTrue(mostBurstBytes <= most, mostBurstBytes + " > " + most);
  }

  @Test
  void shouldCapOneFlowAlone() throws Exception {
    open("millrace.nic { send-rate = 500 Mbit/s, flow-rate = 100 Mbit/s }", 100 * MEGABIT, JUMBO);
    finish(sendBulk(3));
    double share = sentBytes / ((lastSentNs - firstSentNs) / 1e9) / bytesPerSecond;
    assertEquals(1, share, 0.01);
  }

  @Test
  void shouldFillNicWithFiveFlows() throws Exception {
    String nic =
        "millrace.nic { send-rate = 500 Mbit/s, flow-rate = 100 Mbit/s, source-ports = 5 }";
    open(nic, 500 * MEGABIT, ETHERNET);
    finish(sendBulk(3));
    double share = sentBytes / ((lastSentNs - firstSentNs) / 1e9) / bytesPerSecond;
    assertTrue(share >= 0.99 && share <= 1.01, "share of the rate: " + share);
    for (int port = 0; port < 5; port++) {
      assertEquals(0.2, (double) client.endpoint.bytesFrom[port] / sentBytes, 0.01);
    }
  }

  @Test
  void shouldKeepWeightsOfAllLevelsUnderRate() throws Exception {
    PeerPath path = open("millrace.nic.send-rate = 100 Mbit/s", 100 * MEGABIT, ETHERNET);
    long served = 0;
    while (served < 12 * BODY_BYTES && client.nowNs < LIMIT_NS) {
      for (int level = 0; level < LEVELS; level++) {
        while (calls[level] - servedBytes[level] / CALL_BYTES < LEAST_WAITING) {
          call(level);
        }
      }
      exchange();
      served = 0;
      for (long bytes : servedBytes) {
        served += bytes;
      }
    }
    for (int level = 0; level < LEVELS; level++) {
      double weight = (128 >> level) / 255.0;
      assertEquals(1, servedBytes[level] / weight / served, 0.1, "level " + level);
    }
    assertEquals(List.of(), client.faults);
    assertTrue(path.recovery().counters().ackedPackets() > 0);
  }

  @ParameterizedTest
  @CsvSource({"100, 8972", "1000, 1472"})
  void shouldLetUrgentCallsWaitForOneTrainOnly(int megabits, int datagramBytes) throws Exception {
    open("millrace.nic.send-rate = " + megabits + " Mbit/s", megabits * MEGABIT, datagramBytes);
    SplittableRandom random = new SplittableRandom(5);
    TestCall bulk = sendBulk(7);
    long trainNs = wholeTrainBytes(bytesPerSecond, datagramBytes) * 1_000_000_000 / bytesPerSecond;
    long nextCallNs = client.nowNs + 1_000_000;
    int urgentCalls = 0;
    while (bulk.outcome == null && client.nowNs < LIMIT_NS) {
      if (client.nowNs >= nextCallNs) {
        assertNull(bulk.outcome);
        long startNs = client.nowNs;
        long before = servedBytes[0];
        call(0);
        while (servedBytes[0] == before) {
          exchange();
        }
        assertTrue(lastSentNs - startNs <= trainNs, lastSentNs - startNs + " > " + trainNs);
        urgentCalls++;
        nextCallNs = client.nowNs + random.nextLong(1_000_000);
      }
      exchange();
    }
    assertEquals(CallOutcome.OK, bulk.outcome);
    assertTrue(urgentCalls > 5, urgentCalls + " calls");
  }

  /** A target that drops all bytes. */
  private static final class Nowhere implements BodyTarget {
    @Override
    public void write(byte[] from, int offset, int length) {}

    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {
      throw new AssertionError(cause);
    }
  }
}
