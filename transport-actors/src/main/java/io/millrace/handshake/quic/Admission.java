package io.millrace.handshake.quic;

import io.millrace.handshake.SourceLimits;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The peers that may open a connection, up to a limit for a second and a limit at once, in all and
 * from the same network. Asked only about addresses that a token has proved, so that nobody uses up
 * the limits of another network. Without room the oldest connection gives way, because an honest
 * connection takes milliseconds. Rules H-12 and Q-5. Event loop thread only; time comes with each
 * call.
 */
final class Admission {
  private final QuicLimits limits;
  private final SourceLimits rates;
  private final Set<Place> places = new LinkedHashSet<>();
  private long refused;

  Admission(QuicLimits limits, SourceLimits rates) {
    this.limits = limits;
    this.rates = rates;
  }

  /** The place of an open connection. */
  static final class Place {
    private final long prefix;
    private final Runnable onEvicted;

    private Place(long prefix, Runnable onEvicted) {
      this.prefix = prefix;
      this.onEvicted = onEvicted;
    }
  }

  /** Whether a peer at this address may open a connection now; if so that is counted. */
  boolean isWelcome(InetAddress address, long nowNs) {
    boolean welcome = rates.tryAcquire(address, nowNs);
    if (!welcome) {
      refused++;
    }
    return welcome;
  }

  /**
   * A connection from this address is open now.
   *
   * @param onEvicted ends the connection, because a newer connection needs its place
   */
  Place onOpened(InetAddress address, Runnable onEvicted) {
    long prefix = SourceLimits.prefixOf(address);
    makeRoom(prefix);
    Place place = new Place(prefix, onEvicted);
    places.add(place);
    return place;
  }

  private void makeRoom(long prefix) {
    Place oldest = null;
    Place oldestOfPrefix = null;
    int ofPrefix = 0;
    for (Place each : places) {
      oldest = oldest == null ? each : oldest;
      if (each.prefix == prefix) {
        oldestOfPrefix = oldestOfPrefix == null ? each : oldestOfPrefix;
        ofPrefix++;
      }
    }
    if (oldestOfPrefix != null && ofPrefix >= limits.inboundPerPrefix()) {
      evict(oldestOfPrefix);
    } else if (oldest != null && places.size() >= limits.inbound()) {
      evict(oldest);
    }
  }

  private void evict(Place place) {
    places.remove(place);
    place.onEvicted.run();
  }

  /** A connection has ended, evicted or not. */
  void onClosed(Place place) {
    places.remove(place);
  }

  /** Open connections. */
  int open() {
    return places.size();
  }

  /** The number of peers that were not welcome. */
  long refused() {
    return refused;
  }
}
