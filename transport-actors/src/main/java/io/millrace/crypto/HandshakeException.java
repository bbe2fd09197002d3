package io.millrace.crypto;

import java.io.Serial;
import java.net.BindException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A handshake address that cannot be opened; the message is a clear sentence. */
public final class HandshakeException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** Creates the exception with the sentence, and with the cause, if any. */
  public HandshakeException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Creates the exception for a resolved address that cannot be bound. */
  public static HandshakeException ofAddress(InetSocketAddress listen, Throwable cause) {
    String problem = cause instanceof BindException ? "in use or not of this host" : "unusable";
    String address = listen.getAddress().getHostAddress() + ':' + listen.getPort();
    return new HandshakeException("the handshake address " + address + " is " + problem, cause);
  }
}
