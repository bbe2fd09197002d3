package io.millrace.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class MappedMemoryTest {
  private static final long BYTES = 64 << 20;
  private static final long PAGE_BYTES = 4_096;
  private static final long STEP_BYTES = 1 << 20;

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldTakePagesWhenTheyAreTouchedAndEndWithItsArena() throws IOException {
    MemorySegment memory;
    try (Arena arena = Arena.ofConfined()) {
      memory = MappedMemory.map(arena, BYTES, PAGE_BYTES);
      long untouchedKib = residentKib(memory);
      assertTrue(untouchedKib < BYTES >> 11, untouchedKib + " KiB are resident, and none touched");

      for (long at = 0; at < BYTES; at += STEP_BYTES) {
        assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, at));
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) 1);
      }

      assertTrue(residentKib(memory) > untouchedKib, "nothing is resident after writes");
    }
    assertFalse(isWhollyMapped(memory), "still mapped after its arena was closed");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldGiveWholePagesOfAPartBackAndNoOthers() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = MappedMemory.map(arena, BYTES, PAGE_BYTES);
      memory.asSlice(0, 4 * PAGE_BYTES).fill((byte) 1);

      MappedMemory.giveBack(memory, 1, 3 * PAGE_BYTES + 1);

      assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, PAGE_BYTES - 1));
      assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, PAGE_BYTES));
      assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 3 * PAGE_BYTES - 1));
      assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, 3 * PAGE_BYTES));
    }
  }

  @Test
  void shouldLeaveMemoryOfTheArenaAsItIs() {
    try (Arena arena = Arena.ofConfined()) {
      long bytes = MappedMemory.LEAST_BYTES - 1;
      MemorySegment memory = MappedMemory.map(arena, bytes, Long.BYTES);
      memory.fill((byte) 1);

      MappedMemory.giveBack(memory, 0, bytes);

      assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, bytes / 2));
    }
  }

  @Test
  void shouldBeOfTheArenaWhereItIsSmall() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = MappedMemory.map(arena, MappedMemory.LEAST_BYTES - 1, Long.BYTES);

      assertEquals(MappedMemory.LEAST_BYTES - 1, memory.byteSize());
      assertEquals(-1, memory.mismatch(arena.allocate(MappedMemory.LEAST_BYTES - 1)));
    }
  }

  /**
   * The resident size of the mapping in which the memory begins; the kernel may have joined this
   * mapping with its neighbours.
   */
  private static long residentKib(MemorySegment memory) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    boolean isWithin = false;
    for (String line : lines) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        isWithin = holds(line, memory.address());
      } else if (isWithin && line.startsWith("Rss:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new AssertionError("no mapping holds the memory");
  }

  /** A small mapping of another thread may lie at the place by now. */
  private static boolean isWhollyMapped(MemorySegment memory) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/maps")).stream()
        .anyMatch(
            line ->
                holds(line, memory.address())
                    && holds(line, memory.address() + memory.byteSize() - 1));
  }

  private static boolean holds(String line, long address) {
    String[] ends = line.substring(0, line.indexOf(' ')).split("-", -1);
    return Long.compareUnsigned(Long.parseUnsignedLong(ends[0], 16), address) <= 0
        && Long.compareUnsigned(address, Long.parseUnsignedLong(ends[1], 16)) < 0;
  }
}
