package io.millrace.testkit.internal.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.memory.SegmentBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TraceHashTest {
  private static String of(long... values) {
    TraceHash hash = new TraceHash();
    for (long value : values) {
      hash.add(value);
    }
    return hash.hex();
  }

  @Test
  void shouldDependOnEveryValueAndItsPlace() {
    assertEquals(of(1, 2, 3), of(1, 2, 3));
    assertNotEquals(of(1, 2, 3), of(1, 3, 2));
    assertNotEquals(of(1, 2, 3), of(1, 2, 4));
    assertNotEquals(of(0), of(0, 0));
  }

  @Test
  void shouldNotCollideOnSmallInputs() {
    Set<String> seen = new HashSet<>();
    for (long first = 0; first < 300; first++) {
      for (long second = 0; second < 300; second++) {
        seen.add(of(first, second));
      }
    }
    assertEquals(90_000, seen.size());
  }

  @Test
  void shouldDependOnEveryByte() {
    Set<String> seen = new HashSet<>();
    for (int at = 0; at < 21; at++) {
      byte[] bytes = new byte[21];
      bytes[at] = 1;
      TraceHash hash = new TraceHash();
      hash.add(new SegmentBuffer(bytes), 0, bytes.length);
      seen.add(hash.hex());
    }
    assertEquals(21, seen.size());
  }
}
