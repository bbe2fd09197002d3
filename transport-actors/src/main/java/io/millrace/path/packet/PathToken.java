package io.millrace.path.packet;

import io.millrace.crypto.HmacSha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The key by which a process proves the loss of the secret of a path. The 16 bytes come from this
 * process alone; the peer learnt them on the path, sealed, while the path was open; rule U-1.
 * Immutable, any thread; never printed.
 */
public record PathToken(long first, long second) {
  /** No token was learnt: no proof matches. */
  public static final PathToken NONE = new PathToken(0, 0);

  /** The proof in an answer to the packet of this number; rule U-2. Allocates. */
  public long proofOf(long packetNumber) {
    byte[] key =
        ByteBuffer.allocate(2 * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(first)
            .putLong(second)
            .array();
    return tag(key, packetNumber).getLong();
  }

  /** Whether this is the proof in an answer to that packet. */
  boolean matches(long packetNumber, long proof) {
    return !isNone() && proofOf(packetNumber) == proof;
  }

  private static ByteBuffer tag(byte[] key, long number) {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    // Proofs are rare, so a token has no cipher of its own for threads to share.
    try (HmacSha256 mac = new HmacSha256(key)) {
      return ByteBuffer.wrap(mac.tag(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** Whether no token was learnt. */
  boolean isNone() {
    return (first | second) == 0;
  }

  @Override
  public String toString() {
    return "PathToken[redacted]";
  }

  /** Makes the tokens of one process of a node. Any thread. */
  public static final class Maker {
    private final byte[] key;

    /**
     * A maker of tokens under this key.
     *
     * @param key 32 random bytes, new in each process; owned by the maker from now on
     */
    public Maker(byte[] key) {
      this.key = key;
    }

    /** The token of the path with this id, for known and unknown paths. */
    public PathToken of(long pathId) {
      ByteBuffer tag = tag(key, pathId);
      return new PathToken(tag.getLong(), tag.getLong());
    }
  }
}
