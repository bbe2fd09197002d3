package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuSetTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "0", "0-3", "0-1,4", "1,3,5-7,64-127"})
  void shouldReadAndWriteTheKernelsLists(String list) {
    assertEquals(list, CpuSet.parse(list + "\n").toString());
    assertEquals(CpuSet.parse(list), CpuSet.ofMask(CpuSet.parse(list).toMask()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "3-1", "1,,2", "-1", "1-", "(null)", "99999999999"})
  void shouldRefuseWhatIsNoList(String list) {
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> CpuSet.parse(list));
    assertEquals("not a list of CPUs: " + list, refusal.getMessage());
  }

  @Test
  void shouldCompareAndSubtract() {
    CpuSet set = CpuSet.of(1, 2, 64);
    assertEquals(List.of(1, 2, 64), set.toList());
    assertEquals(CpuSet.of(List.of(64, 1)), set.without(CpuSet.of(2, 3)));
    assertTrue(set.overlaps(CpuSet.of(64)));
    assertFalse(set.overlaps(CpuSet.of(0, 3)));
    assertTrue(set.without(set).isEmpty());
    assertEquals(3, set.count());
    assertEquals(CpuSet.of(64, 2, 1).hashCode(), set.hashCode());
  }
}
