package io.millrace.crypto;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A handshake address that cannot be opened; the message is one clear sentence. */
public final class HandshakeException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** The sentence, and what caused it if anything did. */
  public HandshakeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
