package io.millrace.engine;

import io.millrace.access.admission.HostCounts;
import io.millrace.event.TransportEvents;

/**
 * Counts the handshakes that others began and this node refused, by host, and tells of the first
 * one, the second, the fourth and so on. Any thread.
 */
final class RefusedHandshakes {
  private final TransportEvents events;
  private final HostCounts counts = new HostCounts();

  RefusedHandshakes(TransportEvents events) {
    this.events = events;
  }

  /** Who has this address, host:port, was refused. */
  void onRefused(String remote, String reason) {
    long count = counts.add(remote);
    if (HostCounts.isTold(count)) {
      events.onHandshakeRefused(remote, reason, count);
    }
  }

  /** How many there were. */
  long total() {
    return counts.total();
  }
}
