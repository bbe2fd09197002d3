package io.millrace.api;

import io.millrace.transfer.BodySource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A source of known bytes, in portions with a pause after each portion if paced. */
final class KnownSource implements BodySource {
  private static final int PORTION_BYTES = 1 << 16;

  private final long id;
  private final long bytes;
  private final boolean isLengthKnown;
  private final Executor pauses;
  private final AtomicInteger closed = new AtomicInteger();
  private Runnable resume = () -> {};
  private long position;
  private final AtomicLong givenUpTo;

  private KnownSource(long id, long bytes, boolean isLengthKnown, Executor pauses, long givenUpTo) {
    this.id = id;
    this.bytes = bytes;
    this.isLengthKnown = isLengthKnown;
    this.pauses = pauses;
    this.givenUpTo = new AtomicLong(givenUpTo);
  }

  /**
   * Returns a source that pauses.
   *
   * @param id the owner of the bytes
   * @param bytes the number of bytes
   * @param isLengthKnown whether the source reports its length
   * @param pauses runs each task after a pause
   */
  static KnownSource paced(long id, long bytes, boolean isLengthKnown, Executor pauses) {
    return new KnownSource(id, bytes, isLengthKnown, pauses, PORTION_BYTES);
  }

  /** Returns a source that supplies all wanted bytes at once. */
  static KnownSource free(long id, long bytes, boolean isLengthKnown) {
    return new KnownSource(id, bytes, isLengthKnown, Runnable::run, Long.MAX_VALUE);
  }

  /** Returns the number of closes. */
  int closed() {
    return closed.get();
  }

  @Override
  public long lengthBytes() {
    return isLengthKnown ? bytes : UNKNOWN_LENGTH;
  }

  @Override
  public void start(Runnable toResume) {
    resume = toResume;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (position == bytes) {
      return -1;
    }
    int count = (int) Math.min(length, Math.min(bytes, givenUpTo.get()) - position);
    KnownBytes.fill(id, position, into, offset, count);
    position += count;
    if (count == 0) {
      pauses.execute(this::giveMore);
    }
    return count;
  }

  private void giveMore() {
    givenUpTo.addAndGet(PORTION_BYTES);
    resume.run();
  }

  @Override
  public void close() {
    closed.incrementAndGet();
  }
}
