package io.millrace.engine;

import io.millrace.access.admission.HostCounts;
import io.millrace.event.TransportEvents;

/**
 * Counts the handshakes that other nodes began and this node refused, by host, and tells of the
 * first, the second, the fourth refusal and so on. Any thread.
 */
final class RefusedHandshakes {
  private final TransportEvents events;
  private final HostCounts counts = new HostCounts();

  RefusedHandshakes(TransportEvents events) {
    this.events = events;
  }

  /** The node at this address, host:port, was refused. */
  void onRefused(String remote, String reason) {
    long count = counts.add(remote);
    if (HostCounts.isTold(count)) {
      events.onHandshakeRefused(remote, reason, count);
    }
  }

  /** The number of refused handshakes. */
  long total() {
    return counts.total();
  }
}
