package io.millrace.samples.bench.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.samples.bench.faults.FaultClient.Carried;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CarriageTest {
  private final Carriage carriage = new Carriage();

  private void add(long atNs, long first, long second) {
    carriage.add(atNs, List.of(new Carried("a/udp", first, 0), new Carried("b/udp", second, 7)));
  }

  @Test
  void shouldTellWhatWasSentBeforeDuringAndAfterFault() {
    add(0, 10, 10);
    add(100, 110, 60);
    add(200, 310, 61);
    add(300, 350, 100);
    assertEquals(
        Map.of("a/udp", List.of(100L, 200L, 40L), "b/udp", List.of(50L, 1L, 39L)),
        carriage.sent(100, 250));
  }

  @Test
  void shouldTellWhenAllCarryAgain() {
    add(0, 0, 0);
    add(100, 1_000, 1_000);
    add(200, 3_000, 1_010);
    add(300, 5_000, 1_020);
    add(400, 7_000, 1_120);
    assertEquals(CallLog.NEVER, carriage.allAgainNs(100, 200));
    add(500, 8_000, 2_120);
    assertEquals(500, carriage.allAgainNs(100, 200));
  }

  @Test
  void shouldNotWantBackWhatCarriedNothing() {
    add(0, 0, 0);
    add(100, 1_000, 0);
    add(200, 1_000, 1_000);
    add(300, 1_900, 1_000);
    assertEquals(300, carriage.allAgainNs(100, 200));
  }

  @Test
  void shouldReadWhatItFormats() {
    Carried carried = new Carried("a/fabric:tcp", 12, 34);
    assertEquals(carried, Carried.parse(carried.format()));
  }
}
