package io.millrace.protocol.region;

/**
 * Remembers the tokens that this side has let go of, so that an earlier grant does not bring a
 * token back (rule W-15). Such a token would begin fills again that the receiver has taken out, and
 * the receiver would report these fills. Packets of a path are numbered in the order of writing. So
 * a grant is older than the end of a token if its packet has a lower number than a packet that had
 * come by then.
 *
 * <p>This object remembers the keys of the last tokens. Of all earlier tokens, this object
 * remembers only the number of the newest packet that had come when the last of these tokens ended.
 * A grant of an unknown key in a packet with a lower number is ignored, whether or not the key
 * belonged to such a token. Owned by a {@link TokenCache}. No clock; does not allocate.
 */
final class FormerTokens {
  static final int REMEMBERED = 64;

  private final long[] keys = new long[REMEMBERED];
  // The newest packet that had arrived when the token was let go of.
  private final long[] packets = new long[REMEMBERED];
  private final boolean[] isVoid = new boolean[REMEMBERED];
  private int count;
  private int next;
  private long packet;
  private long newestPacket;
  private long forgottenPacket;

  /** The packet of this number is being read. */
  void onPacket(long number) {
    packet = number;
    newestPacket = Math.max(newestPacket, number);
  }

  /** The receiver takes nothing under this key any more. */
  void onVoid(long key) {
    isVoid[slotOf(key)] = true;
  }

  /** This side does not use the key any more; the receiver may still grant the key. */
  void onExpired(long key) {
    slotOf(key);
  }

  private int slotOf(long key) {
    int slot = find(key);
    if (slot < 0) {
      slot = next;
      next = (next + 1) % REMEMBERED;
      if (count == REMEMBERED) {
        forgottenPacket = Math.max(forgottenPacket, packets[slot]);
      } else {
        count++;
      }
      keys[slot] = key;
      isVoid[slot] = false;
    }
    packets[slot] = newestPacket;
    return slot;
  }

  /** Whether a grant in the packet being read, of a key that has no token, must be ignored. */
  boolean isOutdated(long key) {
    final int slot = find(key);
    return slot < 0 ? packet < forgottenPacket : isVoid[slot] || packet < packets[slot];
  }

  private int find(long key) {
    for (int slot = count - 1; slot >= 0; slot--) {
      if (keys[slot] == key) {
        return slot;
      }
    }
    return -1;
  }

  /** Forgets everything: the path is over. */
  void clear() {
    count = 0;
    next = 0;
    packet = 0;
    newestPacket = 0;
    forgottenPacket = 0;
  }
}
