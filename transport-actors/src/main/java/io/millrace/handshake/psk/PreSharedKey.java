package io.millrace.handshake.psk;

import io.millrace.crypto.HandshakeCredentials;
import java.util.HexFormat;

/** The secret that all nodes of a closed lab share. Immutable, any thread, never printed. */
public final class PreSharedKey implements HandshakeCredentials {
  /** The fewest bytes of a key. */
  public static final int MIN_LENGTH = 32;

  private final byte[] bytes;

  /**
   * Copies the key, which must be random: nothing slows down an attacker with pass phrases.
   *
   * @throws IllegalArgumentException if the key is shorter than {@value #MIN_LENGTH} bytes
   */
  public PreSharedKey(byte[] bytes) {
    if (bytes.length < MIN_LENGTH) {
      throw new IllegalArgumentException(
          "a pre-shared key has at least 32 bytes, this one has " + bytes.length);
    }
    this.bytes = bytes.clone();
  }

  /**
   * Reads a key from hexadecimal digits; blanks around the digits do not matter.
   *
   * @throws IllegalArgumentException if the text is not hexadecimal, or too short; never quotes the
   *     key
   */
  public static PreSharedKey ofHex(String digits) {
    byte[] bytes;
    try {
      bytes = HexFormat.of().parseHex(digits.strip());
    } catch (IllegalArgumentException e) {
      // The cause would quote the digits.
      throw new IllegalArgumentException("a pre-shared key is written in hexadecimal digits");
    }
    return new PreSharedKey(bytes);
  }

  /** A copy of the key. */
  byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public String toString() {
    return "PreSharedKey[redacted]";
  }
}
