package io.millrace.crypto;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Names the data keys of one path: the first {@value Name#LENGTH} bytes of the HMAC-SHA256 of the
 * data key, under a key that comes from the path secret by the label {@value #LABEL}. Both sides
 * find the same name, and nobody else can tell a key from its name. Any thread; allocates.
 */
public final class DataKeyNames implements AutoCloseable {
  /** Label of the key. */
  public static final String LABEL = "data key name";

  /**
   * The name of a data key on a path; the name reveals nothing about the key.
   *
   * @param first the name's first 8 bytes, little endian
   * @param second the name's last 8 bytes, little endian
   */
  public record Name(long first, long second) {
    /** Bytes of a name. */
    public static final int LENGTH = 2 * Long.BYTES;
  }

  private static final byte[] NO_CONTEXT = {};

  private final byte[] key;

  /**
   * Derives the key.
   *
   * @throws IllegalStateException if the path secret was closed
   */
  public DataKeyNames(PathSecret secret) {
    key = secret.derive(LABEL, NO_CONTEXT, HmacSha256.LENGTH);
  }

  /** The name of a data key, which is only read; of no meaning once this was closed. */
  public Name of(byte[] dataKey) {
    try (HmacSha256 mac = new HmacSha256(key)) {
      ByteBuffer tag = ByteBuffer.wrap(mac.tag(dataKey)).order(ByteOrder.LITTLE_ENDIAN);
      return new Name(tag.getLong(), tag.getLong());
    }
  }

  /** Overwrites the key. Idempotent. */
  @Override
  public void close() {
    Arrays.fill(key, (byte) 0);
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "DataKeyNames[redacted]";
  }
}
