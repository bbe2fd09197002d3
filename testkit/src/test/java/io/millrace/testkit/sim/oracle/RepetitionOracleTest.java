package io.millrace.testkit.sim.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.actor.peer.PathCounters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a worker may send again of 1,000 packets, of which 10 did not come in time. */
final class RepetitionOracleTest {
  private static final int DATAGRAM_BYTES = 1_500;
  private static final long MOST_BYTES = DATAGRAM_BYTES * (10 + 64 + 750);
  private static final long MOST_FRAMES = 10 * 32 + 256 + 500;

  private static @Nullable String tooMuch(long lost, long chunkBytes, long frames) {
    PathCounters counters = new PathCounters();
    counters.packetsLost = lost;
    counters.chunkBytesRetransmitted = chunkBytes;
    counters.framesRetransmitted = frames;
    return RepetitionOracle.tooMuch(counters, 1_000, 10, DATAGRAM_BYTES);
  }

  @Test
  void shouldAllowWhatWasLostAndProbes() {
    assertNull(tooMuch(10, MOST_BYTES, MOST_FRAMES));
  }

  @Test
  void shouldFindAPacketDeclaredLostThatWasNot() {
    assertEquals("11 packets were declared lost, 10 were, or came late", tooMuch(11, 0, 0));
  }

  @Test
  void shouldFindTooManyBytesSentAgain() {
    assertEquals(
        "1236001 bytes of chunks were sent again, at most 1236000 are right: 10 packets of 1000"
            + " were lost",
        tooMuch(10, MOST_BYTES + 1, 0));
  }

  @Test
  void shouldFindTooManyFramesSentAgain() {
    assertEquals(
        "1077 frames were sent again, at most 1076 are right: 10 packets of 1000 were lost",
        tooMuch(10, 0, MOST_FRAMES + 1));
  }
}
