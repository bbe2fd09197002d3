package io.millrace.body;

import io.millrace.transfer.BodySource;

/**
 * A source whose length was asked for once, at a place where an exception does no harm. From here
 * on the question takes no time and does not fail, so that a worker may ask.
 */
public final class MeasuredSource extends ForwardingSource {
  private final long lengthBytes;

  /** Asks {@code source} for its length; an exception of the source comes out of here. */
  public MeasuredSource(BodySource source) {
    super(source);
    lengthBytes = lengthOf(source);
  }

  /**
   * Returns the bytes of {@code source}, or {@link #UNKNOWN_LENGTH}; throws for any other negative
   * length.
   */
  static long lengthOf(BodySource source) {
    long length = source.lengthBytes();
    if (length < UNKNOWN_LENGTH) {
      throw new IllegalArgumentException("the source's length is negative: " + length);
    }
    return length;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }
}
