package io.millrace.crypto;

/** The use of a cipher; never both. */
public enum CipherUse {
  /** Enciphers and writes tags. */
  SEAL,
  /** Checks tags and deciphers. */
  OPEN
}
