package io.millrace.samples.gossip;

import io.millrace.api.Transport;
import io.millrace.api.TransportSnapshot.ReachedPeer;
import io.millrace.config.NicEntry;
import io.millrace.config.NicPlaces;
import io.millrace.config.PeerPin;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The order in which drivers are tried for a validator, and the driver that carries its packets
 * now.
 *
 * @param seat the validator
 * @param order the names of drivers in the order of trials, from its entry in {@code
 *     millrace.peers}, or from the NICs. Among these drivers, one-sided writes go ahead of
 *     datagrams
 * @param shared the drivers of the order that the validator has, too; empty if unknown
 * @param isPinned whether the validator has an entry
 * @param mayFallBack whether another driver may be used if no driver of the order leads to the
 *     validator
 * @param driver the driver in use; empty without a path
 * @param nic the NIC in use; empty without a path
 */
public record PickOrder(
    Leader.Seat seat,
    List<String> order,
    List<String> shared,
    boolean isPinned,
    boolean mayFallBack,
    String driver,
    String nic) {
  /**
   * Returns the order of each validator, in the order of the seats.
   *
   * @param seats the validators, with numeric addresses as their peers name them
   * @param places the places in the transport's own settings
   * @param shares gives the drivers of a class; empty if unknown
   */
  public static List<PickOrder> of(
      Transport transport,
      List<Leader.Seat> seats,
      NicPlaces places,
      Function<LatencyClass, List<String>> shares) {
    Map<String, ReachedPeer> reached =
        transport.snapshot().peers().stream()
            .collect(Collectors.toMap(ReachedPeer::address, Function.identity()));
    return seats.stream()
        .map(
            seat ->
                of(
                    seat,
                    places,
                    shares.apply(seat.latency()),
                    reached.getOrDefault(seat.address(), notReached(seat.address()))))
        .toList();
  }

  /** Returns the reason why packets go by this driver, or by no driver. */
  public String why() {
    if (driver.isEmpty()) {
      return "not reached";
    }
    if (!isPinned) {
      // Drivers of one family reach each other, so a driver missing at the peer is no sign of a
      // failure.
      return shared.indexOf(driver) > 0
          ? "moved: " + shared.getFirst() + " was silent"
          : "the best that both have";
    }
    int place = order.indexOf(driver);
    if (place < 0) {
      return "fell back: no pinned driver leads there";
    }
    return place == 0
        ? "pinned"
        : "pinned; not there: " + String.join(", ", order.subList(0, place));
  }

  private static ReachedPeer notReached(String address) {
    return new ReachedPeer(address, 0, "", "");
  }

  private static PickOrder of(
      Leader.Seat seat, NicPlaces places, List<String> shared, ReachedPeer reached) {
    for (PeerPin pin : places.pins()) {
      if (pin.isFor(seat.address())) {
        return new PickOrder(
            seat, pin.drivers(), shared, true, pin.mayFallBack(), reached.driver(), reached.nic());
      }
    }
    List<String> own =
        places.nics().isEmpty()
            ? places.drivers()
            : places.nics().stream()
                .map(NicEntry::drivers)
                .flatMap(List::stream)
                .distinct()
                .toList();
    return new PickOrder(seat, own, shared, false, true, reached.driver(), reached.nic());
  }
}
