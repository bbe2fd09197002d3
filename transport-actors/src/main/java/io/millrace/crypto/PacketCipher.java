package io.millrace.crypto;

import io.millrace.memory.SegmentBuffer;
import java.lang.ref.Reference;

/**
 * AES-GCM over packets in native memory with a single key in a single direction: a cipher either
 * seals or opens. Owned by a worker and used on the worker's thread only; the worker closes the
 * cipher, which releases and overwrites the key's schedule.
 *
 * <p>The header is additional data and stays clear; the body is enciphered in place; the tag of
 * {@value #TAG_LENGTH} bytes follows the body. The nonce is the key's 12 bytes with the packet
 * number combined into the last 8 by XOR, as in TLS 1.3 and QUIC.
 *
 * <p>The single use of each nonce is an invariant of this class and not of its callers. A sealing
 * cipher takes packet numbers in strictly rising order only, counts a number as used before any
 * enciphering with the number, and refuses packets beyond the limits of its key.
 */
public abstract class PacketCipher implements AutoCloseable {
  /** Bytes of the tag. */
  public static final int TAG_LENGTH = 16;

  /** The largest packet number, 2^62 - 1, as in QUIC. */
  public static final long MAX_PACKET_NUMBER = (1L << 62) - 1;

  private final CipherUse use;
  private final KeyLimits limits;
  private final int nonceHead;
  private final long nonceTail;
  private long lastSealed = -1;
  private long sealedPackets;
  private long sealedBytes;
  private boolean closed;

  /** A cipher for a key; the key stays the caller's. */
  protected PacketCipher(AeadKey key, CipherUse use, KeyLimits limits) {
    this.use = use;
    this.limits = limits;
    this.nonceHead = key.nonceHead();
    this.nonceTail = key.nonceTail();
  }

  /**
   * Enciphers a body in place and writes the tag behind the body.
   *
   * @param packetOffset where the header begins
   * @param headerLength bytes of the header, a complete header
   * @param bodyLength bytes of the body, without the tag, for which the buffer has room
   * @param packetNumber larger than in every call before
   * @throws IllegalStateException if the packet number is not larger, a limit of the key is
   *     reached, or this cipher opens or is closed; nothing was enciphered
   * @throws IndexOutOfBoundsException if packet and tag do not lie within the buffer
   */
  public final void seal(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long packetNumber) {
    requireUsable(CipherUse.SEAL);
    requireBounds(buffer, packetOffset, headerLength, bodyLength);
    if (packetNumber <= lastSealed || packetNumber > MAX_PACKET_NUMBER) {
      throw new IllegalStateException(
          "packet number " + packetNumber + " cannot follow " + lastSealed + " under one key");
    }
    if (!canSeal(headerLength + bodyLength)) {
      throw new IllegalStateException(
          "the key has sealed "
              + sealedPackets
              + " packets of "
              + sealedBytes
              + " bytes: its limit");
    }
    lastSealed = packetNumber;
    sealedPackets++;
    sealedBytes += headerLength + bodyLength;
    try {
      sealInPlace(buffer, packetOffset, headerLength, bodyLength, nonceTail ^ packetNumber);
    } finally {
      // Native code works on addresses, which keep neither the packet nor the cipher's memory
      // alive.
      Reference.reachabilityFence(buffer);
      Reference.reachabilityFence(this);
    }
    assert invariantsHold();
  }

  /**
   * Checks a packet's tag and deciphers its body in place.
   *
   * @param packetOffset where the header begins
   * @param headerLength bytes of the header
   * @param bodyLength bytes of the body, without the tag behind the body
   * @return false if the packet differs from the sealed packet; the body is then overwritten with
   *     zeros
   * @throws IllegalStateException if this cipher seals, or is closed
   * @throws IndexOutOfBoundsException if packet and tag do not lie within the buffer
   */
  public final boolean open(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long packetNumber) {
    requireUsable(CipherUse.OPEN);
    requireBounds(buffer, packetOffset, headerLength, bodyLength);
    long tail = nonceTail ^ packetNumber;
    try {
      if (openInPlace(buffer, packetOffset, headerLength, bodyLength, tail)) {
        return true;
      }
    } finally {
      Reference.reachabilityFence(buffer);
      Reference.reachabilityFence(this);
    }
    buffer.setMemory(packetOffset + headerLength, bodyLength, (byte) 0);
    return false;
  }

  /** Whether the limits of the key allow another packet with {@code bytes} of header and body. */
  public final boolean canSeal(int bytes) {
    return sealedPackets < limits.packets() && bytes <= limits.bytes() - sealedBytes;
  }

  /** Packets sealed. */
  public final long sealedPackets() {
    return sealedPackets;
  }

  /** Bytes of header and body sealed. */
  public final long sealedBytes() {
    return sealedBytes;
  }

  /** Overwrites and releases the key's schedule. Idempotent. */
  @Override
  public final void close() {
    if (!closed) {
      closed = true;
      release();
    }
  }

  /** The first 4 bytes of each nonce, big endian. */
  protected final int nonceHead() {
    return nonceHead;
  }

  /** Enciphers the body and writes the tag; the last 8 bytes of the nonce are given big endian. */
  protected abstract void sealInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail);

  /**
   * Deciphers the body and says whether the tag is right; with a wrong tag the body's content does
   * not matter.
   */
  protected abstract boolean openInPlace(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength, long nonceTail);

  /** Overwrites and releases the subclass's resources; called once. */
  protected abstract void release();

  private void requireUsable(CipherUse wanted) {
    if (closed || use != wanted) {
      throw new IllegalStateException(closed ? "the cipher is closed" : "the cipher is for " + use);
    }
  }

  private static void requireBounds(
      SegmentBuffer buffer, int packetOffset, int headerLength, int bodyLength) {
    if (headerLength < 0 || bodyLength < 0 || bodyLength > Integer.MAX_VALUE - TAG_LENGTH) {
      throw new IndexOutOfBoundsException("header " + headerLength + ", body " + bodyLength);
    }
    buffer.boundsCheck(packetOffset, Math.addExact(headerLength, bodyLength + TAG_LENGTH));
  }

  private boolean invariantsHold() {
    return sealedPackets <= limits.packets()
        && sealedBytes <= limits.bytes()
        && lastSealed >= sealedPackets - 1
        && lastSealed <= MAX_PACKET_NUMBER;
  }
}
