package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.Records;
import io.millrace.ends.PathCounters;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.RegionDisposition;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A peer with a real path and the right keys asks for more than an honest receiver wants of a fill.
 * The peer gets each written record once for each request that it waited for, and never more than a
 * fill's share of retransmissions.
 */
class HostileReceiverTest {
  private static final long ROUTE = RouteId.of("store").id();
  private static final int RECORD_BYTES = Records.RECORD_BYTES;
  private static final int BODY_BYTES = 3 * RECORD_BYTES + 1_000;
  private static final int RECORDS = 4;
  private static final int REGION_BYTES = 4 * RECORD_BYTES;
  private static final int MOST_REPEATS = 1_024;
  private static final int REQUESTS_A_PACKET = 400;
  private static final int REGION = 1;
  private static final long KEY = 77;
  private static final int QUIET_TURNS = 10;
  private static final long ALL = -1;
  private static final long STEP_NS = 100_000;

  // So few buffers that a turn sends less than a record.
  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(4, 8), "", AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final PeerLink link = lab.link(1);
  private final PathCounters counters = lab.services.context().counters();
  private PeerPath path;
  private TestCall call;

  @BeforeEach
  void beginAFill() throws Exception {
    lab.endpoint.pathMaxDatagramBytes = 1_200;
    path = lab.open(link, 1, true);
    call = new TestCall(link, ROUTE, BODY_BYTES);
    link.onCall(call, lab.nowNs);
    lab.turns(3, STEP_NS);
    arrive(WriteFrames.grant(REGION, 1, KEY, REGION_BYTES, REGION_BYTES));
    lab.turns(1, STEP_NS);
    assertEquals(1, path.writes().openFills());
    assertTrue(counters.payloadBytesSent > 0 && counters.payloadBytesSent < BODY_BYTES);
  }

  /** The frames arrive in a single packet, and a turn follows. */
  private void arrive(byte[]... frames) {
    lab.endpoint.arrivals.add(far.packet(frames));
    lab.turns(1, STEP_NS);
  }

  private void ask(int times, long records) {
    byte[][] frames = new byte[times][];
    Arrays.fill(frames, WriteFrames.records(REGION, 1, KEY, records));
    arrive(frames);
  }

  /** The peer acknowledges packets until nothing more comes. */
  private void drain() {
    long before = counters.packetsSent;
    for (int quiet = 0; quiet < QUIET_TURNS; quiet++) {
      arrive(FarSide.ackUpTo(path.recovery().nextPacketNumber() - 1));
      quiet = before == counters.packetsSent ? quiet : -1;
      before = counters.packetsSent;
    }
  }

  private void finish() {
    drain();
    arrive(WriteFrames.ack(REGION, 1, KEY, REGION_BYTES, RegionDisposition.REUSE.value()));
    assertFalse(call.isSentAsBody());
    assertEquals(0, path.writes().openFills());
    assertFalse(path.packets().isEnded());
    assertTrue(lab.faults.isEmpty(), lab.faults.toString());
  }

  private void assertRepeated(int records, long bytes) {
    drain();
    assertEquals(records, counters.recordsRepeated);
    assertEquals(BODY_BYTES + bytes, counters.payloadBytesSent);
  }

  @Test
  void shouldKeepARecordWaitingOnceHoweverOftenItIsAskedFor() {
    drain();
    ask(REQUESTS_A_PACKET, ALL);
    assertRepeated(RECORDS, BODY_BYTES);
    finish();
  }

  @Test
  void shouldNotBeginARecordAnewOfWhichAPartWasWrittenAgain() {
    drain();
    ask(1, 1);
    long sentBytes = counters.payloadBytesSent - BODY_BYTES;
    assertTrue(sentBytes > 0 && sentBytes < RECORD_BYTES, sentBytes + " bytes");
    ask(REQUESTS_A_PACKET, 1);
    assertRepeated(1, RECORD_BYTES);
    finish();
  }

  @Test
  void shouldWriteNothingBeyondTheFill() {
    drain();
    ask(1, ALL << RECORDS);
    assertRepeated(0, 0);
    ask(1, 1L << RECORDS - 1);
    assertRepeated(1, BODY_BYTES % RECORD_BYTES);
    finish();
  }

  @Test
  void shouldWriteNothingAgainOfAFillThatIsStillBeingWritten() {
    ask(REQUESTS_A_PACKET, ALL);
    assertRepeated(0, 0);
    finish();
  }

  @ParameterizedTest
  @CsvSource({"1, 2, 77", "1, 0, 77", "1, -1, 77", "1, 1, 78", "2, 1, 77", "-1, 1, 77"})
  void shouldWriteNothingAgainOfAnotherFill(int region, int fill, long key) {
    drain();
    arrive(WriteFrames.records(region, fill, key, ALL));
    assertRepeated(0, 0);
    finish();
  }

  @Test
  void shouldWriteNothingAgainOfAFillThatWasTakenOut() {
    finish();
    ask(1, ALL);
    assertRepeated(0, 0);
    assertFalse(path.packets().isEnded());
  }

  @Test
  void shouldWriteNoMoreRecordsOfAFillAgainThanAnyHonestReceiverAsksFor() {
    drain();
    for (int i = 0; i < MOST_REPEATS / RECORDS + 10; i++) {
      ask(1, ALL);
      drain();
    }
    assertRepeated(MOST_REPEATS, (long) MOST_REPEATS / RECORDS * BODY_BYTES);
    finish();
  }

  /**
   * The waiting records belonged to the void token; the whole body goes into the next region, once.
   */
  @Test
  void shouldForgetWhatWaitedWhenTheRegionIsTakenBack() {
    drain();
    ask(1, ALL);
    arrive(WriteFrames.revoke(REGION, KEY));
    long sentBytes = counters.payloadBytesSent;
    drain();
    assertEquals(sentBytes, counters.payloadBytesSent);
    arrive(WriteFrames.grant(REGION, 1, KEY + 1, REGION_BYTES, REGION_BYTES));
    drain();
    assertEquals(sentBytes + BODY_BYTES, counters.payloadBytesSent);
    arrive(WriteFrames.ack(REGION, 1, KEY + 1, REGION_BYTES, RegionDisposition.REUSE.value()));
    assertFalse(call.isSentAsBody());
    assertTrue(lab.faults.isEmpty(), lab.faults.toString());
  }

  @Test
  void shouldForgetWhatWaitedWhenTheFillIsTakenOut() {
    drain();
    ask(1, ALL);
    long sentBytes = counters.payloadBytesSent;
    arrive(WriteFrames.ack(REGION, 1, KEY, REGION_BYTES, RegionDisposition.REUSE.value()));
    drain();
    assertEquals(sentBytes, counters.payloadBytesSent);
    assertFalse(call.isSentAsBody());
    assertTrue(lab.faults.isEmpty(), lab.faults.toString());
  }
}
