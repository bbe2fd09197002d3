package io.millrace.testkit.internal.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

final class TraceLogTest {
  private static final long LINK = 2L << 32 | 1L << 8;

  private static TraceLog log(long... hashes) {
    TraceLog log = new TraceLog();
    for (int i = 0; i < hashes.length; i++) {
      log.add(hashes[i], i == 0 ? TraceKind.PACKET : TraceKind.EVENT, 1_000 + i, LINK, i);
    }
    return log;
  }

  @Test
  void shouldFindNothingWhereNothingDiffers() {
    assertNull(log(1, 2, 3).partingFrom(log(1, 2, 3)));
    assertNull(new TraceLog().partingFrom(new TraceLog()));
  }

  /** The bytes that an event adds beside its numbers show in the hash ahead of the next event. */
  @Test
  void shouldBlameTheEventWhoseBytesDiffer() {
    TraceLog.Parting parting = log(1, 2, 3).partingFrom(log(1, 9, 8));
    assertNotNull(parting);
    assertEquals(
        "event 0 is about other bytes: PACKET at 0.001000 ms from n2 to n1, number 0",
        parting.toString());
  }

  @Test
  void shouldFindTheEndOfTheShorterOne() {
    TraceLog.Parting parting = log(1, 2, 3).partingFrom(log(1, 2));
    assertNotNull(parting);
    assertEquals(1_002, parting.timeNs());
    assertEquals(
        "event 2 is EVENT at 0.001002 ms, 2 to come and the end, after PACKET at 0.001000 ms from"
            + " n2 to n1, number 0",
        parting.toString());
  }

  @Test
  void shouldKeepMoreThanOneChunk() {
    TraceLog one = new TraceLog();
    TraceLog other = new TraceLog();
    for (int i = 0; i < 20_000; i++) {
      one.add(0, TraceKind.TURN, i, 3L << 40 | 1, 4);
      other.add(0, TraceKind.TURN, i, 3L << 40 | 1, i == 19_999 ? 5 : 4);
    }
    assertEquals(20_000, one.size());
    TraceLog.Parting parting = one.partingFrom(other);
    assertNotNull(parting);
    assertEquals(19_999, parting.event());
    assertEquals("TURN at 0.019999 ms of n3, 5 tasks", parting.second());
  }
}
