package io.millrace.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataRingTest {
  private final DataRing ring = new DataRing(1024);
  private final List<Long> told = new ArrayList<>();

  @Test
  void shouldDropEventsWhenFullAndCountThem() {
    int fits = 1024 / 48;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < fits + 3; i++) {
        ring.write(7, i, 1, 2, 3, 4);
      }
      assertEquals(3L * (round + 1), ring.dropped());
      for (int i = 0; i < fits; i++) {
        assertTrue(readOne());
        assertEquals(List.of(7L, (long) i, 1L, 2L, 3L, 4L), told);
      }
      assertFalse(readOne());
      ring.write(0, 0, 0, 0, 0, 0); // each round begins at another place
      assertTrue(readOne());
    }
  }

  @Test
  void shouldGoOnAfterReaderThrew() {
    ring.write(1, 0, 0, 0, 0, 0);
    ring.write(2, 0, 0, 0, 0, 0);
    assertThrows(
        IllegalStateException.class,
        () ->
            ring.read(
                (kind, from, index) -> {
                  throw new IllegalStateException();
                }));
    assertTrue(readOne());
    assertEquals(2, told.getFirst());
    assertFalse(readOne());
  }

  /** A record is seen whole, and each record once, in the order of the writes. */
  @Test
  void shouldHandRecordsToAnotherThread() throws InterruptedException {
    int count = 300_000;
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < count; i++) {
                    ring.write(i & 7, i, ~i, i + 1L, i + 2L, i + 3L);
                    if ((i & 15) == 15) {
                      Thread.yield();
                    }
                  }
                });
    long[] state = {-1, 0, 0};
    boolean isOver = false;
    while (!isOver) {
      isOver = !writer.isAlive();
      boolean hasMore;
      do {
        hasMore =
            ring.read(
                (kind, from, index) -> {
                  long first = from.getLong(index);
                  boolean isWhole =
                      kind == (first & 7)
                          && from.getLong(index + 8) == ~first
                          && from.getLong(index + 16) == first + 1
                          && from.getLong(index + 24) == first + 2
                          && from.getLong(index + 32) == first + 3;
                  state[1] += isWhole && first > state[0] ? 0 : 1;
                  state[0] = first;
                  state[2]++;
                });
      } while (hasMore);
    }
    writer.join();
    assertEquals(0, state[1]);
    assertEquals(count, state[2] + ring.dropped());
  }

  private boolean readOne() {
    return ring.read(
        (kind, from, index) -> {
          told.clear();
          told.add((long) kind);
          for (int i = 0; i < 5; i++) {
            told.add(from.getLong(index + i * Long.BYTES));
          }
        });
  }
}
