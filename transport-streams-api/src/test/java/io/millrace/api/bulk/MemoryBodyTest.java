package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.LentBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies in memory. */
final class MemoryBodyTest {
  private static final int MANY = 300_001;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_535, 65_536, 65_537, MANY})
  void shouldMoveArraysOfAnyLength(int length) throws IOException {
    byte[] from = TestBytes.random(length, length);
    byte[] to = new byte[length];
    BodySource source = BulkSource.of(from);
    assertEquals(length, source.lengthBytes());
    assertEquals(length, BodyDriver.run(source, BulkTarget.into(to), length));
    assertArrayEquals(from, to);
  }

  @Test
  void shouldLendArraysWhereTheyLieAndCopyOtherMemory() throws IOException {
    byte[] bytes = TestBytes.random(100, 3);
    BodySource source = BulkSource.of(MemorySegment.ofArray(bytes).asSlice(10, 80));
    LentBytes first = Objects.requireNonNull(source.lend(50));
    assertSame(bytes, first.array());
    assertEquals(10, first.offset());
    assertEquals(50, first.length());
    byte[] read = new byte[20];
    assertEquals(20, source.read(read, 0, 20));
    assertArrayEquals(Arrays.copyOfRange(bytes, 60, 80), read);
    LentBytes rest = Objects.requireNonNull(source.lend(50));
    assertEquals(80, rest.offset());
    assertEquals(10, rest.length());
    assertNull(source.lend(50));
    assertEquals(-1, source.read(read, 0, 20));
    try (Arena arena = Arena.ofShared()) {
      assertNull(BulkSource.of(arena.allocate(10)).lend(10));
    }
    assertNull(BulkSource.of(MemorySegment.ofArray(bytes).asReadOnly()).lend(10));
  }

  @Test
  void shouldMoveARangeOfNativeMemoryAndTouchNothingBesideIt() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      byte[] bytes = TestBytes.random(MANY, 1);
      MemorySegment from = arena.allocate(MANY);
      from.copyFrom(MemorySegment.ofArray(bytes));
      MemorySegment to = arena.allocate(MANY);
      BodyDriver.run(
          BulkSource.of(from.asSlice(10, 200_000)), BulkTarget.into(to.asSlice(7, 200_000)), 1);
      assertEquals(-1, to.asSlice(7, 200_000).mismatch(from.asSlice(10, 200_000)));
      assertEquals(0, to.get(ValueLayout.JAVA_BYTE, 6));
      assertEquals(0, to.get(ValueLayout.JAVA_BYTE, 200_007));
    }
  }

  @Test
  void shouldRefuseWhatDoesNotFitAndLeaveZeros() {
    byte[] to = new byte[MANY - 1];
    IOException refused =
        assertThrows(
            IOException.class,
            () -> BodyDriver.run(BulkSource.of(TestBytes.random(MANY, 2)), BulkTarget.into(to), 2));
    assertEquals(
        "the transfer has more bytes than the 300000 of memory for it", refused.getMessage());
    assertArrayEquals(new byte[MANY - 1], to);
  }

  @Test
  void shouldRefuseMemoryThatExecutorsCannotUse() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment confined = arena.allocate(8);
      assertThrows(IllegalArgumentException.class, () -> BulkSource.of(confined));
      assertThrows(IllegalArgumentException.class, () -> BulkTarget.into(confined));
    }
    MemorySegment readOnly = MemorySegment.ofArray(new byte[8]).asReadOnly();
    assertThrows(IllegalArgumentException.class, () -> BulkTarget.into(readOnly));
    assertEquals(8, BulkSource.of(readOnly).lengthBytes());
  }

  @Test
  void shouldFailClearlyWhenMemoryIsReleasedMeanwhile() throws IOException {
    Arena arena = Arena.ofShared();
    BodySource source = BulkSource.of(arena.allocate(8));
    BodyTarget target = BulkTarget.into(arena.allocate(8));
    target.write(new byte[4], 0, 4);
    arena.close();
    IOException read = assertThrows(IOException.class, () -> source.read(new byte[8], 0, 8));
    assertEquals("the memory was released while its transfer was under way", read.getMessage());
    IOException write = assertThrows(IOException.class, () -> target.write(new byte[4], 0, 4));
    target.abort(write);
    assertEquals(1, write.getSuppressed().length);
  }
}
