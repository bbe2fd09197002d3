package io.millrace.testkit.internal.node;

/**
 * Sees what the ciphers of simulated nodes do, and when a key is used. Must change nothing.
 * Simulation thread only.
 */
public interface CipherObserver {
  /** A packet is about to be sealed: its body is still plain. */
  default void onPacketSealed(PlainPacket packet) {}

  /** A packet was opened and its tag was right. */
  default void onPacketOpened(PlainPacket packet) {}

  /** A datagram that retires keys is about to be sealed: its body is still plain. */
  default void onRetirementSealed(PlainPacket packet) {}

  /** A datagram that retires keys was opened and its tag was right. */
  default void onRetirementOpened(PlainPacket packet) {}

  /** A record is about to be sealed. */
  default void onRecordSealed(KeyInUse key, long nonce) {}

  /**
   * A record was sealed.
   *
   * @param sealed what the cipher put out, from {@code offset} on; the tag follows it
   * @param length bytes of the record
   * @param secretBytes how many of its leading bytes were enciphered; the others are as they were
   */
  default void onRecordOut(KeyInUse key, byte[] sealed, int offset, int length, int secretBytes) {}

  /** A record was opened and its tag was right. */
  default void onRecordOpened(KeyInUse key, long nonce) {}
}
