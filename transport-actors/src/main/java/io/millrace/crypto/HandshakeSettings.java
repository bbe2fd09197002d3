package io.millrace.crypto;

import io.millrace.crypto.kem.PostQuantum;
import java.net.InetSocketAddress;

/**
 * The settings of every handshake provider.
 *
 * @param listen the address to listen at; port 0 takes a free port
 * @param credentials of the provider's own kind
 * @param incarnation of this node: random, new at each start
 * @param timeoutNs after how long an unanswered attempt ends, ns, positive
 * @param limits how many handshakes strangers may begin
 * @param postQuantum whether providers with certificates add ML-KEM-768
 */
public record HandshakeSettings(
    InetSocketAddress listen,
    HandshakeCredentials credentials,
    long incarnation,
    long timeoutNs,
    HandshakeLimits limits,
    PostQuantum postQuantum) {
  /**
   * Settings with {@link PostQuantum#ON}.
   *
   * @throws IllegalArgumentException if the timeout is not positive
   */
  public HandshakeSettings(
      InetSocketAddress listen,
      HandshakeCredentials credentials,
      long incarnation,
      long timeoutNs,
      HandshakeLimits limits) {
    this(listen, credentials, incarnation, timeoutNs, limits, PostQuantum.ON);
  }

  /**
   * Checks the settings.
   *
   * @throws IllegalArgumentException if the timeout is not positive
   */
  public HandshakeSettings {
    if (timeoutNs <= 0) {
      throw new IllegalArgumentException("a handshake timeout must be positive, not " + timeoutNs);
    }
  }
}
