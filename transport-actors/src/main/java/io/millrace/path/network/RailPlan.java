package io.millrace.path.network;

import io.millrace.driver.EndpointAddress;
import java.util.List;

/**
 * The rails found by a handshake between two workers, the best first. Immutable, any thread.
 *
 * @param rails at least one rail
 * @param isInitiator whether this side began the handshake
 * @param isPinned whether the configuration of this side changed the rails of the common choice, so
 *     that the peer must be told
 */
public record RailPlan(List<Rail> rails, boolean isInitiator, boolean isPinned) {
  /** The bytes of a datagram carried by Ethernet without jumbo frames over IPv6. */
  private static final int ETHERNET_BYTES = 1_452;

  private static final int NONE = -1;

  /** Copies the rails. */
  public RailPlan {
    rails = List.copyOf(rails);
  }

  /** A single rail, of the first endpoints of both sides. */
  public static RailPlan only(EndpointAddress remote, boolean isInitiator) {
    return new RailPlan(List.of(new Rail(0, 0, remote, false)), isInitiator, false);
  }

  /** The same rails to a peer with an identity proved at this IP address, 4 or 16 bytes. */
  public RailPlan provedAt(byte[] ipAddress) {
    return new RailPlan(
        rails.stream().map(rail -> rail.provedAt(ipAddress)).toList(), isInitiator, isPinned);
  }

  /**
   * The largest datagram that a path to a peer that reads no pieces should have, bytes; rule N-9. A
   * frame carried by one rail must fit another, or its transfer fails when the path moves. Networks
   * of two kinds seldom carry the same size.
   */
  public int mostBytesWithoutPieces() {
    long families = rails.stream().map(rail -> rail.address().family()).distinct().count();
    return families > 1 ? ETHERNET_BYTES : Integer.MAX_VALUE;
  }

  /** The rail of these two endpoints, or -1. */
  public int indexOf(int local, int remote) {
    for (int i = 0; i < rails.size(); i++) {
      Rail rail = rails.get(i);
      if (rail.local() == local && rail.remote() == remote) {
        return i;
      }
    }
    return NONE;
  }
}
