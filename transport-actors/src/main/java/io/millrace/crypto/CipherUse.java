package io.millrace.crypto;

/** What a cipher is for; never both. */
public enum CipherUse {
  /** Enciphers and writes tags. */
  SEAL,
  /** Checks tags and deciphers. */
  OPEN
}
