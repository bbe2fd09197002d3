package io.millrace.actor.pool;

import io.millrace.event.TransportEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the handshakes that others began and this node refused, by host, and tells of the first
 * one, the second, the fourth and so on. So many hosts are known one by one; those that come later,
 * whose addresses may all be forged, are counted together. Any thread.
 */
final class RefusedHandshakes {
  /** Hosts that are counted each by itself; as many more as threads add one at the same moment. */
  static final int MOST_HOSTS = 1_000;

  private final TransportEvents events;
  private final Map<String, AtomicLong> hosts = new ConcurrentHashMap<>();
  private final AtomicLong others = new AtomicLong();
  private final AtomicLong total = new AtomicLong();

  RefusedHandshakes(TransportEvents events) {
    this.events = events;
  }

  /** Who has this address, host:port, was refused. */
  void onRefused(String remote, String reason) {
    total.incrementAndGet();
    long count = countOf(hostOf(remote)).incrementAndGet();
    if (Long.bitCount(count) == 1) {
      events.onHandshakeRefused(remote, reason, count);
    }
  }

  private AtomicLong countOf(String host) {
    AtomicLong known = hosts.get(host);
    if (known != null) {
      return known;
    }
    return hosts.size() < MOST_HOSTS ? hosts.computeIfAbsent(host, _ -> new AtomicLong()) : others;
  }

  /** Each attempt of one node may come from another port. */
  private static String hostOf(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }

  /** How many there were. */
  long total() {
    return total.get();
  }
}
