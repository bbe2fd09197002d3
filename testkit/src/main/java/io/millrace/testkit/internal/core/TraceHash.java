package io.millrace.testkit.internal.core;

import java.util.HexFormat;
import org.agrona.DirectBuffer;

/**
 * 128 bits over everything that happened in a run, in order: two runs of one seed that differ
 * anywhere have different hashes. Simulation thread only; does not allocate while it takes up.
 */
public final class TraceHash {
  private static final long FIRST = 0x9E3779B97F4A7C15L;
  private static final long SECOND = 0xD6E8FEB86659FD93L;
  private static final int ROTATION = 29;

  private long high = 0x243F6A8885A308D3L;
  private long low = 0x13198A2E03707344L;
  private long taken;

  /** A hash of nothing. */
  public TraceHash() {}

  /** Takes up one number. */
  public void add(long value) {
    long mixed = (high ^ value) * FIRST;
    high = (mixed ^ mixed >>> 32) + low;
    low = (Long.rotateLeft(low, ROTATION) ^ value) * SECOND;
    taken++;
  }

  /** Takes up an event: what it was and two numbers of it. */
  public void add(long kind, long first, long second) {
    add(kind);
    add(first);
    add(second);
  }

  /** Takes up bytes. */
  public void add(DirectBuffer buffer, int offset, int length) {
    // Four sums that do not wait for each other; each step of one can be undone, so none forgets.
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

  /** Takes up a text. */
  public void add(String text) {
    add((long) text.length() << Integer.SIZE ^ text.hashCode());
  }

  /** Half of the hash so far, which is as good for comparing single events. */
  long state() {
    return high;
  }

  /** How many numbers were taken up. */
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
