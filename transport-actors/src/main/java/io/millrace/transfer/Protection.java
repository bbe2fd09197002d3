package io.millrace.transfer;

/**
 * The protection of a body's payload on its way and in the memory of its receiver. Headers, inline
 * payload, elements of streams and all control frames are sealed under every choice.
 */
public enum Protection {
  /**
   * Enciphered and authenticated: nobody on the way reads the payload, nobody changes the payload
   * unnoticed.
   */
  SEALED,

  /**
   * Authenticated and not enciphered: everybody on the way can read the payload, nobody changes the
   * payload unnoticed. Right for a payload that the application has enciphered itself, and for a
   * payload that need not be secret. Saves the pass that enciphers and the pass that deciphers
   * where these passes have a cost: a JDK on a processor that enciphers and authenticates at once
   * in wide registers seals for less.
   */
  AUTHENTICATED;

  /**
   * Returns the number of leading bytes of a record that are enciphered; the other bytes are
   * additional data of the record's seal.
   *
   * @param headersBytes leading bytes of the body that hold headers
   * @param position of the record's first byte in the body
   * @param length bytes of the record
   */
  public int secretBytes(int headersBytes, long position, int length) {
    return this == SEALED ? length : Math.clamp(headersBytes - position, 0, length);
  }
}
