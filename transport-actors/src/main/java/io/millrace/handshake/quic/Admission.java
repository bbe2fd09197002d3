package io.millrace.handshake.quic;

import io.millrace.handshake.SourceLimits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Which peers may open a connection: so many at once and so many in a second, in all and from one
 * network. Asked only about addresses that a token has proved, so that nobody uses up what belongs
 * to another's network. Event loop thread only; time comes with each call.
 */
final class Admission {
  private final QuicLimits limits;
  private final SourceLimits rates;
  private final Map<Long, Integer> openByPrefix = new HashMap<>();
  private int open;
  private long refused;

  Admission(QuicLimits limits, SourceLimits rates) {
    this.limits = limits;
    this.rates = rates;
  }

  /** Whether a peer at this address may open a connection now; if so that is counted. */
  boolean isWelcome(InetAddress address, long nowNs) {
    long prefix = SourceLimits.prefixOf(address);
    boolean welcome =
        open < limits.inbound()
            && openByPrefix.getOrDefault(prefix, 0) < limits.inboundPerPrefix()
            && rates.tryAcquire(address, nowNs);
    if (!welcome) {
      refused++;
    }
    return welcome;
  }

  /** A connection from this address is open now. */
  void onOpened(InetAddress address) {
    open++;
    openByPrefix.merge(SourceLimits.prefixOf(address), 1, Integer::sum);
  }

  /** A connection from this address has ended. */
  void onClosed(InetAddress address) {
    open--;
    openByPrefix.computeIfPresent(
        SourceLimits.prefixOf(address), (prefix, count) -> count > 1 ? count - 1 : null);
  }

  /** Connections that are open. */
  int open() {
    return open;
  }

  /** How often a peer was not welcome. */
  long refused() {
    return refused;
  }
}
