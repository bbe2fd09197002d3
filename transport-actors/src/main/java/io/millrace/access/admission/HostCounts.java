package io.millrace.access.admission;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts refusals by the host of the peer. A limited number of hosts is counted host by host; later
 * hosts, whose addresses may all be forged, are counted together. Any thread.
 */
public final class HostCounts {
  /**
   * Hosts that are counted host by host; more hosts are possible if several threads add a host at
   * the same moment.
   */
  public static final int MOST_HOSTS = 1_000;

  private final Map<String, AtomicLong> hosts = new ConcurrentHashMap<>();
  private final AtomicLong others = new AtomicLong();
  private final AtomicLong total = new AtomicLong();

  /** Nothing was refused yet. */
  public HostCounts() {}

  /**
   * Adds a refusal for the host of this address, host:port.
   *
   * @return the number of refusals of this host so far
   */
  public long add(String address) {
    total.incrementAndGet();
    return countOf(hostOf(address)).incrementAndGet();
  }

  /** Whether the refusal of this number is told: the first, the second, the fourth and so on. */
  public static boolean isTold(long count) {
    return Long.bitCount(count) == 1;
  }

  private AtomicLong countOf(String host) {
    AtomicLong known = hosts.get(host);
    if (known != null) {
      return known;
    }
    return hosts.size() < MOST_HOSTS ? hosts.computeIfAbsent(host, _ -> new AtomicLong()) : others;
  }

  /** Each attempt of a node may come from another port. */
  private static String hostOf(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }

  /** The number of refusals of all hosts. */
  public long total() {
    return total.get();
  }
}
