package io.millrace.samples.bench.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.bench.faults.CallLog.Entry;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CallLogTest {
  /** The fault is from 100 to 200. */
  private static final CallLog LOG =
      new CallLog(
          List.of(
              new Entry(80, 81, ""),
              new Entry(90, 91, "EARLY: before the fault"),
              new Entry(95, 105, ""),
              new Entry(110, 130, "LOST: of the peer"),
              new Entry(120, 140, "LOST: of the peer"),
              new Entry(130, 203, ""),
              new Entry(201, 206, "REFUSED twice"),
              new Entry(202, 207, ""),
              new Entry(208, 209, "")));

  @Test
  void shouldTellFirstFailureSinceFault() {
    assertEquals("LOST: of the peer", LOG.firstFailed(100).orElseThrow().error());
    assertTrue(LOG.firstFailed(207).isEmpty());
  }

  @Test
  void shouldCountFailuresByFirstWord() {
    assertEquals(Map.of("LOST", 2, "REFUSED", 1), LOG.failed(100));
  }

  @Test
  void shouldTellLongestCallThatSucceeded() {
    assertEquals(73, LOG.longestOkNs(100));
    assertEquals(CallLog.NEVER, LOG.longestOkNs(210));
  }

  @Test
  void shouldTellLongestTimeWithoutSuccess() {
    assertEquals(98, LOG.longestStallNs(100, 220));
    assertEquals(291, LOG.longestStallNs(100, 500));
  }

  @Test
  void shouldHaveRecoveredOnceNoLaterCallFails() {
    assertEquals(207, LOG.recoveredNs(200));
    assertEquals(CallLog.NEVER, LOG.recoveredNs(210));
    CallLog unharmed = new CallLog(List.of(new Entry(90, 150, ""), new Entry(95, 201, "")));
    assertEquals(201, unharmed.recoveredNs(200));
  }

  @Test
  void shouldCountSuccessesInSpans() {
    assertEquals(List.of(1, 0, 3), LOG.okEach(100, 250, 50));
  }

  @Test
  void shouldReadWhatItWrote(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("calls");
    new CallLog(List.of(new Entry(-2, -1, ""), new Entry(1, 2, "A: tab\there,\nline"))).write(file);
    assertEquals(
        new CallLog(List.of(new Entry(-2, -1, ""), new Entry(1, 2, "A: tab here, line"))),
        CallLog.read(file));
  }
}
