package io.millrace.nic;

import io.millrace.config.PeerPin;
import io.millrace.driver.EndpointAddress;
import io.millrace.handshake.AdvertisedEndpoint;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rails between two workers from the endpoints advertised by both. Both sides find the
 * same rails in the same order; rules N-1 to N-4 and N-12. Then the pins of this side are applied.
 * Stateless.
 */
public final class RailChoice {
  private RailChoice() {}

  /** Two endpoints of the same family; {@code initiator} and {@code responder} are their places. */
  private record Pair(
      int initiator,
      int responder,
      boolean isOneSided,
      boolean isOnLink,
      boolean isInner,
      AdvertisedEndpoint to) {
    /** Memory of one host before NICs that write by themselves, and those before other fabrics. */
    private int rank() {
      String family = to.address().family();
      if (!isOneSided || family.startsWith("fabric:shm")) {
        return 0;
      }
      boolean isEfa = family.equals("efa") || family.equals("efa-direct");
      boolean isNamed = family.startsWith("fabric:efa") || family.startsWith("fabric:verbs");
      return isEfa || isNamed ? 1 : 2;
    }

    private int sum() {
      return initiator + responder;
    }

    private int most() {
      return Math.max(initiator, responder);
    }
  }

  private static final Comparator<Pair> BEST_FIRST =
      Comparator.comparing((Pair pair) -> !pair.isOneSided())
          .thenComparing(Pair::isInner)
          .thenComparingInt(Pair::rank)
          .thenComparing(pair -> !pair.isOnLink())
          .thenComparingInt(Pair::sum)
          .thenComparingInt(Pair::most)
          .thenComparingInt(Pair::initiator);

  /**
   * The rails, or null if no driver of both sides leads from one to the other.
   *
   * @param local endpoints of this side's worker, as advertised
   * @param drivers the names of the drivers of these endpoints
   * @param remote endpoints of the peer's worker, as advertised
   * @param pin the pin of the peer in the configuration, or null
   */
  public static @Nullable RailPlan of(
      List<AdvertisedEndpoint> local,
      List<String> drivers,
      List<AdvertisedEndpoint> remote,
      boolean isInitiator,
      @Nullable PeerPin pin) {
    return of(local, drivers, remote, isInitiator, pin, SharedAddresses.NONE);
  }

  /**
   * The same between two nodes that may be on different hosts.
   *
   * @param shared the addresses by which no rail goes
   */
  public static @Nullable RailPlan of(
      List<AdvertisedEndpoint> local,
      List<String> drivers,
      List<AdvertisedEndpoint> remote,
      boolean isInitiator,
      @Nullable PeerPin pin,
      SharedAddresses shared) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < local.size(); i++) {
      for (int j = 0; j < remote.size(); j++) {
        if (local.get(i).address().family().equals(remote.get(j).address().family())
            && !shared.has(local.get(i))
            && !shared.has(remote.get(j))) {
          pairs.add(pair(local, i, remote, j, isInitiator));
        }
      }
    }
    pairs.sort(BEST_FIRST);
    List<Rail> found =
        pairs.stream()
            .map(
                pair ->
                    new Rail(
                        isInitiator ? pair.initiator() : pair.responder(),
                        isInitiator ? pair.responder() : pair.initiator(),
                        pair.to().address(),
                        pair.isOneSided(),
                        true))
            .toList();
    List<Rail> kept = pin == null ? found : pinned(found, local, drivers, pin);
    return kept.isEmpty() ? null : new RailPlan(kept, isInitiator, !kept.equals(found));
  }

  private static Pair pair(
      List<AdvertisedEndpoint> local,
      int i,
      List<AdvertisedEndpoint> remote,
      int j,
      boolean isInitiator) {
    AdvertisedEndpoint one = local.get(i);
    AdvertisedEndpoint other = remote.get(j);
    boolean isOneSided = one.nic().isOneSided() && other.nic().isOneSided();
    return new Pair(
        isInitiator ? i : j,
        isInitiator ? j : i,
        isOneSided,
        isOnLink(one, other),
        one.nic().isInner() || other.nic().isInner(),
        other);
  }

  /** Whether both addresses begin with the same network. */
  private static boolean isOnLink(AdvertisedEndpoint one, AdvertisedEndpoint other) {
    int bits = one.nic().prefixBits();
    if (bits == 0 || bits != other.nic().prefixBits()) {
      return false;
    }
    byte[] first = one.address().bytes();
    byte[] second = other.address().bytes();
    if (first.length != second.length || first.length * Byte.SIZE < bits) {
      return false;
    }
    for (int bit = 0; bit < bits; bit++) {
      int mask = 1 << (Byte.SIZE - 1 - bit % Byte.SIZE);
      if (((first[bit / Byte.SIZE] ^ second[bit / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the rails of the pinned drivers in the pin's order; the other rails follow if the pin
   * allows a fall-back.
   */
  private static List<Rail> pinned(
      List<Rail> found, List<AdvertisedEndpoint> local, List<String> drivers, PeerPin pin) {
    List<Rail> kept = new ArrayList<>();
    for (String wanted : pin.drivers()) {
      for (Rail rail : found) {
        EndpointAddress address = local.get(rail.local()).address();
        boolean isWanted =
            wanted.equals(drivers.get(rail.local())) || wanted.equals(address.family());
        if (isWanted && !kept.contains(rail)) {
          kept.add(rail);
        }
      }
    }
    if (pin.mayFallBack()) {
      found.stream().filter(rail -> !kept.contains(rail)).forEach(kept::add);
    }
    return kept;
  }
}
