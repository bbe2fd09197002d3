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
 * In which order drivers are tried for a validator, and which of them carries its packets now.
 *
 * @param seat the validator
 * @param order names of drivers, the first that leads there is used: those of its entry in {@code
 *     millrace.peers}, or those of the NICs. Of these, one-sided writes go ahead of datagrams
 * @param shared those of the order that the validator has, too; empty if that is not known
 * @param isPinned whether it has an entry
 * @param mayFallBack whether another driver may be used where none of these leads there
 * @param driver that is used; empty if there is no path
 * @param nic that is used; empty if there is no path
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
   * Of each validator, in their order.
   *
   * @param seats whose addresses are as their peers name them, in numbers
   * @param places of the transport's own settings
   * @param shares which of these drivers a class has; empty if that is not known
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

  /** Why its packets go by this driver, or by none. */
  public String why() {
    if (driver.isEmpty()) {
      return "not reached";
    }
    if (!isPinned) {
      // Drivers of one family reach each other, so one that the peer lacks is no sign of a failure.
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
            ? List.of(places.driver())
            : places.nics().stream()
                .map(NicEntry::drivers)
                .flatMap(List::stream)
                .distinct()
                .toList();
    return new PickOrder(seat, own, shared, false, true, reached.driver(), reached.nic());
  }
}
