package io.millrace.crypto;

import io.millrace.memory.SegmentBuffer;

/**
 * Seals the packets from a worker to a worker of a peer, and moves on to the next key at the limits
 * of the present key. Key ids count from 0; the peer learns of a new key id from the first packet
 * with this id.
 *
 * <p>Owned by the sending worker and used on the worker's thread. Sealing does not allocate;
 * rotating does.
 */
public final class ControlSealer implements AutoCloseable {
  private final ControlKeys keys;
  private final AeadProvider provider;
  private final PathDirection direction;
  private final WorkerPair workers;
  private final KeyLimits limits;
  private PacketCipher cipher;
  private int keyId;

  /**
   * Begins with key 0.
   *
   * @throws IllegalStateException if the path had a sealer for these workers in this direction
   *     before: a second sealer would use the same nonces again
   */
  public ControlSealer(
      ControlKeys keys,
      AeadProvider provider,
      PathDirection direction,
      WorkerPair workers,
      KeyLimits limits) {
    this.keys = keys;
    this.provider = provider;
    this.direction = direction;
    this.workers = workers;
    this.limits = limits;
    keys.claimSealing(direction, workers);
    this.cipher = cipherOf(0);
  }

  /**
   * The key id to write into the header of a packet with {@code bytes} of header and body; rotates
   * first if the present key may not seal that much any more. To be called before every {@link
   * #seal}, since the header is additional data.
   *
   * @throws IllegalStateException if a single such packet is over the limit, all key ids are used,
   *     or the path secret was closed
   */
  public int keyIdFor(int bytes) {
    if (!cipher.canSeal(bytes)) {
      rotate();
      if (!cipher.canSeal(bytes)) {
        throw new IllegalStateException(bytes + " bytes are more than a key may seal: " + limits);
      }
    }
    return keyId;
  }

  /** Seals a packet in place; see {@link PacketCipher#seal}. */
  public void seal(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long packetNumber) {
    cipher.seal(buffer, packetOffset, headerLength, bodyLength, packetNumber);
  }

  /**
   * Goes on with the next key.
   *
   * @throws IllegalStateException if all key ids are used, or the path secret was closed
   */
  public void rotate() {
    if (keyId == -1) {
      throw new IllegalStateException("all 2^32 keys of the path are used");
    }
    PacketCipher next = cipherOf(keyId + 1);
    cipher.close();
    cipher = next;
    keyId++;
  }

  /** The key id in use. */
  public int keyId() {
    return keyId;
  }

  private PacketCipher cipherOf(int id) {
    try (AeadKey key = keys.derive(direction, workers, id)) {
      return provider.cipher(key, CipherUse.SEAL, limits);
    }
  }

  /** Releases the key. Idempotent; nothing can be sealed afterwards. */
  @Override
  public void close() {
    cipher.close();
  }
}
