package io.millrace.samples.log.core;

import static java.nio.ByteOrder.BIG_ENDIAN;

import org.apache.pekko.util.ByteString;
import org.apache.pekko.util.ByteStringBuilder;

/** Writes the fields of one message, big-endian; {@link FieldReader} reads them. */
public final class FieldWriter {
  private final ByteStringBuilder out = new ByteStringBuilder();

  /** Writes eight bytes. */
  public FieldWriter number(long value) {
    out.putLong(value, BIG_ENDIAN);
    return this;
  }

  /** Writes four bytes. */
  public FieldWriter small(int value) {
    out.putInt(value, BIG_ENDIAN);
    return this;
  }

  /** Writes a length and this number of bytes. */
  public FieldWriter bytes(ByteString value) {
    out.putInt(value.size(), BIG_ENDIAN).append(value);
    return this;
  }

  /** Returns the written bytes, in one array. */
  public ByteString toBytes() {
    return out.result().compact();
  }
}
