package io.millrace.body;

import io.millrace.transfer.BodySource;

/**
 * A source whose length was asked for once, where a throw of it does no harm: from here on that
 * takes no time and does not fail, so that a worker may ask.
 */
public final class MeasuredSource extends ForwardingSource {
  private final long lengthBytes;

  /** Asks {@code source} for its length; what that throws comes out of here. */
  public MeasuredSource(BodySource source) {
    super(source);
    lengthBytes = lengthOf(source);
  }

  /** Bytes of {@code source}, or {@link #UNKNOWN_LENGTH}; throws if it tells anything else. */
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
