package io.millrace.testkit.internal.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.crypto.Records;
import io.millrace.ends.PathCounters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The allowed retransmissions of a worker when 10 packets did not come in time, the worker probed 5
 * times, and a record came with a wrong tag.
 */
final class RepetitionOracleTest {
  private static final int DATAGRAM_BYTES = 1_500;
  private static final long MOST_BYTES = DATAGRAM_BYTES * (10 + 5) + Records.RECORD_BYTES;
  private static final int FRAMES = 33;
  private static final long MOST_FRAMES = FRAMES * (10 + 5);

  private static @Nullable String tooMuch(long lost, long chunkBytes, long frames) {
    PathCounters counters = new PathCounters(0);
    counters.packetsLost = lost;
    counters.chunkBytesRetransmitted = chunkBytes;
    counters.framesRetransmitted = frames;
    counters.recordsRepeated = 1;
    return RepetitionOracle.tooMuch(
        counters, 10, 5, new RepetitionOracle.Carried(DATAGRAM_BYTES, FRAMES));
  }

  @Test
  void shouldAllowWhatWasLostAndProbes() {
    assertNull(tooMuch(10, MOST_BYTES, MOST_FRAMES));
  }

  @Test
  void shouldFindAPacketDeclaredLostThatWasNot() {
    assertEquals(
        "11 packets were declared lost, 10 were, or came late, or were forgotten",
        tooMuch(11, 0, 0));
  }

  @Test
  void shouldFindTooManyBytesSentAgain() {
    assertEquals(
        (MOST_BYTES + 1)
            + " bytes of chunks were sent again, at most "
            + MOST_BYTES
            + " are right: 10 packets lost, 5 probe timeouts",
        tooMuch(10, MOST_BYTES + 1, 0));
  }

  @Test
  void shouldFindTooManyFramesSentAgain() {
    assertEquals(
        "496 frames were sent again, at most 495 are right: 10 packets lost, 5 probe timeouts",
        tooMuch(10, 0, MOST_FRAMES + 1));
  }
}
