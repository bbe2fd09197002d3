package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TransferBarTest {
  private static final long SECOND_NS = 1_000_000_000L;

  @Test
  void shouldShowShareRateAndTimeLeft() {
    assertEquals(
        "[######..................]  25 %  1.0 GB of 4.0 GB  500.0 MB/s  0:06 left",
        TransferBar.line(1_000_000_000L, 4_000_000_000L, 2 * SECOND_NS));
  }

  @Test
  void shouldCountMinutes() {
    assertEquals(
        "[........................]   1 %  10 B of 1.0 kB  10 B/s  1:39 left",
        TransferBar.line(10, 1_000, SECOND_NS));
  }

  @Test
  void shouldShowTheEnd() {
    assertEquals(
        "[########################] 100 %  8 B of 8 B  8 B/s  0:00 left",
        TransferBar.line(8, 8, SECOND_NS));
    assertEquals(
        "[########################] 100 %  0 B of 0 B  0 B/s  0:00 left",
        TransferBar.line(0, 0, 0));
  }

  @Test
  void shouldNotGuessBeforeAnythingMoved() {
    assertEquals(
        "[........................]   0 %  0 B of 8 B  0 B/s  ?:?? left",
        TransferBar.line(0, 8, SECOND_NS));
  }

  @Test
  void shouldDoWithoutALength() {
    assertEquals("1.0 kB  1.0 kB/s", TransferBar.line(1_000, -1, SECOND_NS));
  }
}
