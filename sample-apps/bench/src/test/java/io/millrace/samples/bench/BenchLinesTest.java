package io.millrace.samples.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.samples.bench.peer.Piece;
import io.millrace.samples.bench.peer.RoundResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The messages between parent and children. */
final class BenchLinesTest {
  @Test
  void shouldReadTheFiguresThatWereWritten() {
    RoundResult result = new RoundResult(1_000, 500_000_000, 4_900, 7_700, 0);
    assertEquals(result, RoundResult.parse(result.format()));
    assertEquals(2_000, result.callsPerSecond());
    assertThrows(IllegalArgumentException.class, () -> RoundResult.parse("1 2 3"));
  }

  @Test
  void shouldReadThePiecesThatWereWritten() {
    List<Piece> pieces = List.of(new Piece("seal", 0.125), new Piece("open", 1e-9));
    RoundResult result = new RoundResult(2, 1_000, 0, 0, 0, 3_000, pieces);
    assertEquals(result, RoundResult.parse(result.format()));
    assertEquals(3e9, result.bytesPerSecond());
  }

  @Test
  void shouldReadTheUsageThatWasWritten() {
    Usage busy = new Usage(1_000, 900, 880, 60, 4_096, List.of("a:88%", "b:2%"));
    Usage idle = new Usage(1_000, 0, 0, 0, 0, List.of());
    assertEquals(busy, Usage.parse(busy.format()));
    assertEquals(idle, Usage.parse(idle.format()));
    assertEquals(0.02, busy.jvmShare(), 1e-9);
    assertThrows(IllegalArgumentException.class, () -> Usage.parse("1 2 3"));
  }

  @Test
  void shouldCallARoundDisturbedWhenASideWaitedForItsCore() {
    RoundResult result = new RoundResult(1, 1_000, 1, 1, 0);
    Usage quiet = new Usage(1_000, 900, 900, 50, 0, List.of());
    Usage waited = new Usage(1_000, 900, 900, 51, 0, List.of());
    assertEquals(false, new Round(result, quiet, quiet).isDisturbed());
    assertEquals(true, new Round(result, waited, quiet).isDisturbed());
    assertEquals(true, new Round(result, quiet, waited).isDisturbed());
  }

  @Test
  void shouldReadListsOfCores() {
    assertEquals(List.of(0, 1), CoreMap.parseCores("\t0-1\n"));
    assertEquals(List.of(3), CoreMap.parseCores("3"));
    assertEquals(List.of(0, 2, 3, 4, 9), CoreMap.parseCores("0,2-4,9"));
  }
}
