package io.millrace.actor.packet;

import io.millrace.crypto.HmacSha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a node says to prove that it has lost the secret of a path: 16 bytes that only it can make,
 * also after a restart, and that its peer learnt on that path, sealed, while there was one; rule
 * U-1. Immutable, any thread; never printed.
 */
public record PathToken(long first, long second) {
  /** Nothing was learnt: no token matches it. */
  public static final PathToken NONE = new PathToken(0, 0);

  /** Whether {@code other} is the same; takes equally long wherever two real ones differ. */
  boolean matches(PathToken other) {
    return ((first ^ other.first) | (second ^ other.second)) == 0 && !isNone();
  }

  /** Whether nothing was learnt. */
  boolean isNone() {
    return (first | second) == 0;
  }

  @Override
  public String toString() {
    return "PathToken[redacted]";
  }

  /** Makes the tokens of one node. Any thread. */
  public static final class Maker {
    private final byte[] key;

    /**
     * Tokens under this key.
     *
     * @param key 32 bytes that the node has again after a restart; the maker's from now on
     */
    public Maker(byte[] key) {
      this.key = key;
    }

    /** The token of the path with this id, whether or not it is known. */
    public PathToken of(long pathId) {
      byte[] id =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(pathId).array();
      // Seldom asked for, so it has no cipher of its own that threads would share.
      try (HmacSha256 mac = new HmacSha256(key)) {
        ByteBuffer tag = ByteBuffer.wrap(mac.tag(id)).order(ByteOrder.LITTLE_ENDIAN);
        return new PathToken(tag.getLong(), tag.getLong());
      }
    }
  }
}
