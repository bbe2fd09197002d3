package io.millrace.testkit.internal.node;

import java.util.Arrays;

/**
 * A key of AES-GCM with the constant part of its nonces, by value. Two names are equal if a seal
 * under the same counter uses the same key and nonce. Immutable.
 */
public final class KeyName {
  private final byte[] key;
  private final int nonceHead;
  private final int hash;

  /**
   * Names a key.
   *
   * @param key bytes of the key, which this object keeps
   * @param nonceHead the first 4 bytes of the key's nonces
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
