package io.millrace.api.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory borrowed by files. */
final class FileBufferTest {
  @Test
  void shouldKeepSomeAndFreeOthersAtOnce() {
    List<FileBuffer> taken = new ArrayList<>();
    for (int i = 0; i < 2 * FileBuffer.MOST_KEPT; i++) {
      taken.add(FileBuffer.take());
    }
    taken.forEach(FileBuffer::giveBack);
    long allocated = taken.stream().filter(FileBuffer::isAllocated).count();
    assertTrue(allocated <= FileBuffer.MOST_KEPT, allocated + " are kept");
  }

  @Test
  void shouldBeEmptyWhenItIsTakenAgain() {
    FileBuffer first = FileBuffer.take();
    first.bytes().put(new byte[100]).flip();
    first.giveBack();
    FileBuffer next = FileBuffer.take();
    assertEquals(0, next.bytes().position());
    assertEquals(FileBuffer.BYTES, next.bytes().limit());
    next.giveBack();
  }

  @Test
  void shouldNotLendABufferTwiceThoughItCameBackTwice() {
    FileBuffer buffer = FileBuffer.take();
    buffer.giveBack();
    assertThrows(IllegalStateException.class, buffer::giveBack);
  }
}
