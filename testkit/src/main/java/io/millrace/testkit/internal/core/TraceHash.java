package io.millrace.testkit.internal.core;

import java.util.HexFormat;
import org.agrona.DirectBuffer;

/**
 * 128 bits over all events of a run, in order: two runs of one seed with any difference have
 * different hashes. Simulation thread only; does not allocate while adding.
 */
public final class TraceHash {
  private static final long FIRST = 0x9E3779B97F4A7C15L;
  private static final long SECOND = 0xD6E8FEB86659FD93L;
  private static final int ROTATION = 29;

  private long high = 0x243F6A8885A308D3L;
  private long low = 0x13198A2E03707344L;
  private long taken;

  /** Creates a hash of nothing. */
  public TraceHash() {}

  /** Adds a single number. */
  public void add(long value) {
    long mixed = (high ^ value) * FIRST;
    high = (mixed ^ mixed >>> 32) + low;
    low = (Long.rotateLeft(low, ROTATION) ^ value) * SECOND;
    taken++;
  }

  /** Adds an event: its kind and two of its numbers. */
  public void add(long kind, long first, long second) {
    add(kind);
    add(first);
    add(second);
  }

  /** Adds bytes. */
  public void add(DirectBuffer buffer, int offset, int length) {
    // Four independent sums; each step of a sum can be undone, so no sum forgets a byte.
    long first = FIRST;
    long second = SECOND;
    long third = high;
    long fourth = low;
    int at = offset;
    int end = offset + length;
    for (; at + 4 * Long.BYTES <= end; at += 4 * Long.BYTES) {
      first = step(first, buffer.getLong(at));
      second = step(second, buffer.getLong(at + Long.BYTES));
      third = step(third, buffer.getLong(at + 2 * Long.BYTES));
      fourth = step(fourth, buffer.getLong(at + 3 * Long.BYTES));
    }
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      first = step(first, buffer.getLong(at));
    }
    for (; at < end; at++) {
      second = step(second, buffer.getByte(at));
    }
    add(length, first, second);
    add(third);
    add(fourth);
  }

  private static long step(long sum, long value) {
    long mixed = (sum ^ value) * FIRST;
    return mixed ^ mixed >>> 29;
  }

  /** Adds a text. */
  public void add(String text) {
    add((long) text.length() << Integer.SIZE ^ text.hashCode());
  }

  /** Half of the hash so far, which is as good as the whole for comparing single events. */
  long state() {
    return high;
  }

  /** Number of numbers added. */
  public long taken() {
    return taken;
  }

  /** The hash so far, 32 hexadecimal digits. */
  public String hex() {
    HexFormat digits = HexFormat.of();
    return digits.toHexDigits(high) + digits.toHexDigits(low);
  }

  @Override
  public String toString() {
    return hex();
  }
}
