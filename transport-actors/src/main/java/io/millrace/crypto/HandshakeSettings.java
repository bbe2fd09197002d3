package io.millrace.crypto;

import java.net.InetSocketAddress;

/**
 * What every handshake provider needs to know.
 *
 * @param listen where to listen; port 0 takes a free one
 * @param credentials of the provider's own kind
 * @param incarnation of this node: random, new at each start
 * @param timeoutNs after how long an unanswered attempt ends, ns, positive
 * @param limits how many handshakes strangers may begin
 */
public record HandshakeSettings(
    InetSocketAddress listen,
    HandshakeCredentials credentials,
    long incarnation,
    long timeoutNs,
    HandshakeLimits limits) {
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
