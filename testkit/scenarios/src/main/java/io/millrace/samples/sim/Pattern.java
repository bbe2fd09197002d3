package io.millrace.samples.sim;

import io.millrace.testkit.sim.Draws;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bytes as a function of the seed, of their owner's id and of their position. So both ends know the
 * bytes and nobody has to keep them. Immutable.
 */
final class Pattern {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int WORD_SHIFT = 3;
  private static final int IN_WORD = Long.BYTES - 1;

  private final Draws draws;

  Pattern(long seed, String domain) {
    draws = Draws.of(seed, domain);
  }

  byte[] bytes(long id, int length) {
    byte[] bytes = new byte[length];
    fill(id, 0, bytes, 0, length);
    return bytes;
  }

  /** Writes the bytes from {@code position} on. */
  void fill(long id, long position, byte[] into, int offset, int length) {
    int at = 0;
    while (at < length) {
      long word = word(id, position + at);
      if (length - at >= Long.BYTES && (position + at & IN_WORD) == 0) {
        LONGS.set(into, offset + at, word);
        at += Long.BYTES;
      } else {
        into[offset + at] = byteOf(word, position + at);
        at++;
      }
    }
  }

  /** Returns whether these are the bytes from {@code position} on. */
  boolean matches(long id, long position, byte[] bytes, int offset, int length) {
    boolean same = true;
    int at = 0;
    while (same && at < length) {
      long word = word(id, position + at);
      if (length - at >= Long.BYTES && (position + at & IN_WORD) == 0) {
        same = (long) LONGS.get(bytes, offset + at) == word;
        at += Long.BYTES;
      } else {
        same = bytes[offset + at] == byteOf(word, position + at);
        at++;
      }
    }
    return same;
  }

  private long word(long id, long position) {
    return draws.draw(id, position >>> WORD_SHIFT);
  }

  private static byte byteOf(long word, long position) {
    return (byte) (word >>> (position & IN_WORD) * Byte.SIZE);
  }
}
