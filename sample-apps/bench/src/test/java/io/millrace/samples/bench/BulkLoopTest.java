package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.peer.BulkLoop;
import io.millrace.samples.bench.peer.BulkTally;
import io.millrace.samples.bench.peer.Workload;
import org.junit.jupiter.api.Test;

/** The bytes that a one-way load counts as delivered. */
final class BulkLoopTest {
  private long nowNs;

  private static BulkTally received(BulkLoop loop) {
    BulkTally tally = new BulkTally(loop.isVerifying());
    while (loop.canSend()) {
      byte[] block = loop.next();
      tally.onBytes(block, 0, block.length);
    }
    return tally;
  }

  @Test
  void shouldSendUntilItsTimeIsOver() {
    BulkLoop loop = BulkLoop.timed(Workload.BULK, 1_000, () -> nowNs);
    nowNs = 77;
    assertTrue(loop.canSend());
    loop.next();
    nowNs = 77 + 999;
    assertTrue(loop.canSend());
    loop.next();
    nowNs = 77 + 1_000;
    assertFalse(loop.canSend());

    nowNs = 77 + 2_000;
    loop.onDelivered(2 * BulkLoop.BLOCK_BYTES, 0);

    assertEquals(0, loop.result().wrong());
    assertEquals(2_000, loop.result().elapsedNs());
    assertEquals(2 * BulkLoop.BLOCK_BYTES / 2e-6, loop.result().bytesPerSecond(), 1);
  }

  @Test
  void shouldNoticeAMissingByte() {
    BulkLoop loop = BulkLoop.timed(Workload.BULK, 1, () -> nowNs);
    loop.next();
    loop.onDelivered(BulkLoop.BLOCK_BYTES - 1, 0);
    assertEquals(1, loop.result().wrong());
  }

  @Test
  void shouldAcceptTheBlocksThatItSent() {
    BulkLoop loop = BulkLoop.verifying(Workload.BULK, () -> nowNs);
    BulkTally tally = received(loop);
    assertTrue(tally.bytes() > BulkLoop.BLOCK_BYTES);
    loop.onDelivered(tally.bytes(), tally.checksum());
    assertEquals(0, loop.result().wrong());
  }

  @Test
  void shouldNoticeBlocksInAnotherOrder() {
    BulkLoop loop = BulkLoop.verifying(Workload.BULK, () -> nowNs);
    BulkTally tally = new BulkTally(true);
    byte[] first = loop.next().clone();
    byte[] second = loop.next().clone();
    tally.onBytes(second, 0, second.length);
    tally.onBytes(first, 0, first.length);
    loop.onDelivered(tally.bytes(), tally.checksum());
    assertEquals(1, loop.result().wrong());
  }

  @Test
  void shouldEndWithAFailure() {
    BulkLoop loop = BulkLoop.timed(Workload.BULK, 1, () -> nowNs);
    loop.onFailure("the reason goes to the log");
    assertEquals(1, loop.result().wrong());
  }
}
