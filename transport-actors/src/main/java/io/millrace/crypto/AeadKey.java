package io.millrace.crypto;

import java.util.Arrays;

/**
 * A key for AES-GCM and the 12 bytes that make the key's nonces in combination with a counter. The
 * object only carries key and nonces to a cipher: the deriving code closes the object after making
 * the ciphers, which overwrites this copy. Not thread-safe.
 */
public final class AeadKey implements AutoCloseable {
  /** Bytes of the nonce part. */
  public static final int IV_LENGTH = 12;

  private final byte[] material;

  /**
   * Takes over the array.
   *
   * @param material 16 or 32 bytes of key, then {@value #IV_LENGTH} bytes for the nonces
   * @throws IllegalArgumentException if the length is neither
   */
  public AeadKey(byte[] material) {
    int keyLength = material.length - IV_LENGTH;
    if (keyLength != AesKeySize.AES_128.bytes() && keyLength != AesKeySize.AES_256.bytes()) {
      throw new IllegalArgumentException("an AES key has 16 or 32 bytes, not " + keyLength);
    }
    this.material = material;
  }

  /** The length of the key. */
  public AesKeySize size() {
    return keyLength() == AesKeySize.AES_128.bytes() ? AesKeySize.AES_128 : AesKeySize.AES_256;
  }

  /** A copy of the key; the caller overwrites the copy. */
  public byte[] key() {
    return Arrays.copyOf(material, keyLength());
  }

  /** A copy of the bytes that make nonces: the nonce of packet number 0. */
  public byte[] nonce() {
    return Arrays.copyOfRange(material, keyLength(), material.length);
  }

  /** The first 4 bytes of the nonces, big endian; the same in every nonce. */
  public int nonceHead() {
    return (int) bigEndian(keyLength(), Integer.BYTES);
  }

  /** The last 8 bytes, big endian; every nonce combines these bytes with its counter by XOR. */
  public long nonceTail() {
    return bigEndian(keyLength() + Integer.BYTES, Long.BYTES);
  }

  private int keyLength() {
    return material.length - IV_LENGTH;
  }

  private long bigEndian(int offset, int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << Byte.SIZE | material[offset + i] & 0xFF;
    }
    return value;
  }

  /** Overwrites the key. Idempotent. */
  @Override
  public void close() {
    Arrays.fill(material, (byte) 0);
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "AeadKey[" + size() + ", redacted]";
  }
}
