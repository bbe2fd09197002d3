package io.millrace.testkit.internal.node;

/**
 * Sees the work of simulated nodes' ciphers, at the moment when a key is used. Must change nothing.
 * Simulation thread only.
 */
public interface CipherObserver {
  /** A packet is about to be sealed: its body is still plain. */
  default void onPacketSealed(PlainPacket packet) {}

  /** A packet was opened with a right tag. */
  default void onPacketOpened(PlainPacket packet) {}

  /** A datagram with a retirement of keys is about to be sealed: its body is still plain. */
  default void onRetirementSealed(PlainPacket packet) {}

  /** A datagram with a retirement of keys was opened with a right tag. */
  default void onRetirementOpened(PlainPacket packet) {}

  /** A record is about to be sealed. */
  default void onRecordSealed(KeyInUse key, long nonce) {}

  /**
   * A record was sealed.
   *
   * @param sealed the cipher's output, from {@code offset} on; the tag follows
   * @param length bytes of the record
   * @param secretBytes how many of the record's leading bytes were enciphered; the other bytes stay
   *     plain
   */
  default void onRecordOut(KeyInUse key, byte[] sealed, int offset, int length, int secretBytes) {}

  /** A record was opened with a right tag. */
  default void onRecordOpened(KeyInUse key, long nonce) {}
}
