package io.millrace.crypto;

/**
 * An implementation of AES-GCM. All implementations produce the same bytes, so the two sides of a
 * path may use different implementations.
 *
 * <p>Found by {@link java.util.ServiceLoader}. Safe on any thread; {@link #probe()} and {@link
 * #cipher} are control plane and may allocate and load libraries.
 */
public interface AeadProvider {
  /** Short name that users type, for example {@code libcrypto}. */
  String name();

  /** The larger is taken first for packets, which lie in native memory and are small. */
  int packetPreference();

  /** The larger is taken first for records of 8 KiB and more, which lie in heap arrays. */
  int recordPreference();

  /** Says whether this works here. Never throws; the answer holds the reason of a failure. */
  AeadAvailability probe();

  /**
   * Makes a cipher. The key stays the caller's and may be closed right afterwards; the cipher
   * becomes the caller's and must be closed.
   *
   * @param limits how much the key may seal; meaningless for a cipher that opens
   * @throws IllegalStateException if the provider is not available
   */
  PacketCipher cipher(AeadKey key, CipherUse use, KeyLimits limits);

  /**
   * Makes a cipher for records in heap arrays. The cipher becomes the caller's and must be closed.
   *
   * @param key 16 or 32 bytes, copied
   * @throws IllegalArgumentException if the key has another length
   * @throws IllegalStateException if the provider is not available
   */
  RecordCipher recordCipher(byte[] key, CipherUse use);
}
