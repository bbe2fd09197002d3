package io.millrace.testkit.internal.node;

import java.util.Arrays;

/**
 * A key of AES-GCM with the constant part of its nonces, by value: two are equal if what they seal
 * under the same counter is sealed under the same key and nonce. Immutable.
 */
public final class KeyName {
  private final byte[] key;
  private final int nonceHead;
  private final int hash;

  /**
   * Names a key.
   *
   * @param key its bytes, which are kept
   * @param nonceHead the first 4 bytes of its nonces
   */
  KeyName(byte[] key, int nonceHead) {
    this.key = key;
    this.nonceHead = nonceHead;
    hash = 31 * Arrays.hashCode(key) + nonceHead;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyName name
        && nonceHead == name.nonceHead
        && Arrays.equals(key, name.key);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Never a byte of the key. */
  @Override
  public String toString() {
    return "key#" + Integer.toHexString(hash);
  }
}
