package io.millrace.crypto;

import io.millrace.memory.SegmentBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the packets from a worker of a peer to a worker here, with the key that the packet's header
 * names. Around the newest key that an authentic packet has named, {@value #KEYS_BEHIND} older keys
 * and {@value #KEYS_AHEAD} newer keys are accepted, so that packets may overtake a rotation. A
 * forged packet can neither move this window nor cost more than the ciphers in the window.
 *
 * <p>Owned by the receiving worker and used on the worker's thread. Opening allocates only when a
 * key is named for the first time.
 */
public final class ControlOpener implements AutoCloseable {
  /** The number of older keys that are still accepted. */
  public static final int KEYS_BEHIND = 7;

  /** The number of newer keys that are accepted. */
  public static final int KEYS_AHEAD = 8;

  private static final int SLOTS = 16;
  private static final int SLOT_MASK = SLOTS - 1;

  private final ControlKeys keys;
  private final AeadProvider provider;
  private final PathDirection direction;
  private final WorkerPair workers;
  // slot (key id mod 16) to the cipher of the only key id in the window with this slot
  private final @Nullable PacketCipher[] ciphers = new @Nullable PacketCipher[SLOTS];
  private long newest;
  private long oldest;
  private boolean closed;
  private long openedPackets;
  private long badTags;
  private long unknownKeys;

  /** Accepts key 0 and the next {@value #KEYS_AHEAD}. */
  public ControlOpener(
      ControlKeys keys, AeadProvider provider, PathDirection direction, WorkerPair workers) {
    this.keys = keys;
    this.provider = provider;
    this.direction = direction;
    this.workers = workers;
  }

  /**
   * Checks a packet and deciphers the packet in place; see {@link PacketCipher#open}.
   *
   * @param keyId as the header says
   * @return false if the packet is not the packet that the peer sealed, or its key is not accepted
   *     any more or yet; counted
   * @throws IllegalStateException after closing
   */
  public boolean open(
      SegmentBuffer buffer,
      int packetOffset,
      int headerLength,
      int bodyLength,
      int keyId,
      long packetNumber) {
    if (closed) {
      throw new IllegalStateException("the keys of this path are closed");
    }
    if (!canOpen(keyId)) {
      unknownKeys++;
      return false;
    }
    long id = Integer.toUnsignedLong(keyId);
    if (!cipherOf(id).open(buffer, packetOffset, headerLength, bodyLength, packetNumber)) {
      badTags++;
      return false;
    }
    openedPackets++;
    if (id > newest) {
      newest = id;
      retireBelow(id - KEYS_BEHIND);
    }
    assert invariantsHold();
    return true;
  }

  /** Whether {@link #open} tries packets under this key id at all. */
  public boolean canOpen(int keyId) {
    long id = Integer.toUnsignedLong(keyId);
    return id >= oldest && id <= newest + KEYS_AHEAD;
  }

  /**
   * Stops accepting {@code keyId}, taken as unsigned, and all older keys; the newest that an
   * authentic packet has named stays.
   *
   * @return whether any of these keys was accepted
   */
  public boolean retire(int keyId) {
    long before = oldest;
    retireBelow(Math.min(Integer.toUnsignedLong(keyId) + 1, newest));
    return oldest > before;
  }

  /** Packets with a right tag. */
  public long openedPackets() {
    return openedPackets;
  }

  /** Packets with a wrong tag. */
  public long badTags() {
    return badTags;
  }

  /** Packets under keys that are not accepted. */
  public long unknownKeys() {
    return unknownKeys;
  }

  /** The newest key id that an authentic packet has named, unsigned. */
  public int newestKeyId() {
    return (int) newest;
  }

  private PacketCipher cipherOf(long id) {
    int slot = (int) id & SLOT_MASK;
    PacketCipher cipher = ciphers[slot];
    if (cipher == null) {
      try (AeadKey key = keys.derive(direction, workers, (int) id)) {
        cipher = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT);
      }
      ciphers[slot] = cipher;
    }
    return cipher;
  }

  private void retireBelow(long id) {
    for (long retired = oldest; retired < id && retired < oldest + SLOTS; retired++) {
      release((int) retired & SLOT_MASK);
    }
    oldest = Math.max(oldest, id);
  }

  private void release(int slot) {
    PacketCipher cipher = ciphers[slot];
    if (cipher != null) {
      cipher.close();
      ciphers[slot] = null;
    }
  }

  /** Releases all keys. Idempotent; nothing can be opened afterwards. */
  @Override
  public void close() {
    closed = true;
    for (int slot = 0; slot < SLOTS; slot++) {
      release(slot);
    }
  }

  private boolean invariantsHold() {
    return oldest <= newest && newest - oldest <= KEYS_BEHIND;
  }
}
