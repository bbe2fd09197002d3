package io.millrace.testkit.internal.fabric;

import io.millrace.testkit.internal.net.FaultFilter;
import io.millrace.testkit.internal.net.FaultKind;
import io.millrace.testkit.internal.net.NetworkDraws;
import io.millrace.testkit.internal.net.NicLane;
import io.millrace.testkit.internal.net.SimLink;
import io.millrace.testkit.internal.net.SimNetwork;
import io.millrace.testkit.internal.net.SimNic;
import io.millrace.testkit.sim.FabricSettings;
import io.millrace.testkit.sim.LossSettings;
import io.millrace.testkit.sim.NicState;
import io.millrace.testkit.sim.VirtualTime;
import java.util.function.IntFunction;

/**
 * The way from an interface to another interface, in one direction: travel times, losses and
 * overtaking. Each message and piece travels by itself, in no order.
 */
final class FabricLink {
  private static final int PIECE_BITS = 12;
  private static final int ATTEMPT_BITS = 16;

  private final FaultFilter fires;
  private final FabricSettings settings;
  private final NetworkDraws draws;
  private final VirtualTime time;
  private final SimLink link;
  private final SimNic sender;
  private final SimNic receiver;
  private final IntFunction<NicState> states;
  private final NicLane lane;
  private long ordinals;
  private long burstLeft;

  /**
   * The two ends of a link.
   *
   * @param states the state of the fabric at each node
   */
  record Ends(SimNic sender, SimNic receiver, IntFunction<NicState> states) {}

  FabricLink(
      SimNetwork network,
      FabricSettings settings,
      NetworkDraws draws,
      VirtualTime time,
      SimLink link,
      Ends ends) {
    fires = (key, attempt, kind) -> network.fires(link, ~attempt, kind);
    this.settings = settings;
    this.draws = draws;
    this.time = time;
    this.link = link;
    sender = ends.sender();
    receiver = ends.receiver();
    states = ends.states();
    lane = new NicLane(() -> link.settings().rate().bytesPerSecond());
  }

  VirtualTime time() {
    return time;
  }

  long key() {
    return link.key();
  }

  SimNic sender() {
    return sender;
  }

  SimNic receiver() {
    return receiver;
  }

  /** Returns a number for a new message or write. */
  long nextOrdinal() {
    return ordinals++;
  }

  /** Whether traffic reaches the other end now. */
  boolean passes() {
    return !link.isCut() && !link.isClogged() && isUp(sender) && isUp(receiver);
  }

  private boolean isUp(SimNic nic) {
    return nic.state() == NicState.UP && states.apply(nic.node()) == NicState.UP;
  }

  /** Returns when the last of these bytes has left the sender. */
  long departureNs(int bytes) {
    return lane.pass(bytes, sender.egressLane().pass(bytes, time.nowNs()));
  }

  /**
   * Runs {@code arrival} when the receiver has moved these bytes, which arrive now, into memory.
   */
  void enter(int bytes, Runnable arrival) {
    long nowNs = time.nowNs();
    long enteredNs = receiver.ingressLane().pass(bytes, nowNs);
    if (enteredNs > nowNs) {
      time.at(enteredNs, arrival);
    } else {
      arrival.run();
    }
  }

  /** Returns the number of an attempt to bring a piece over. */
  static long attempt(long ordinal, int piece, int attempt) {
    return ordinal << PIECE_BITS + ATTEMPT_BITS | (long) piece << ATTEMPT_BITS | attempt;
  }

  /** Whether a fault of the seed may happen to this attempt. */
  private boolean fires(long attempt, FaultKind kind) {
    return fires.allows(key(), attempt, kind);
  }

  /** Whether this attempt is lost. */
  boolean loses(long attempt) {
    // Asked first: a burst must begin, and go on, whatever other fault the attempt meets.
    boolean isInBurst = isInBurst(attempt);
    return isInBurst
        || !passes()
        || (draws.loss.chance(key(), attempt, link.settings().loss().ppm())
            && fires(attempt, FaultKind.LOSS))
        || (draws.truncate.chance(key(), attempt, link.settings().damage().truncatePpm())
            && fires(attempt, FaultKind.TRUNCATE));
  }

  /** Whether the attempt is part of a burst of losses. */
  private boolean isInBurst(long attempt) {
    LossSettings loss = link.settings().loss();
    if (burstLeft == 0 && draws.burst.chance(key(), attempt, loss.burstPpm())) {
      burstLeft = draws.burstLength.between(key(), attempt, 1, loss.burstMaxPackets());
    }
    return burstLeft > 0 && burstLeft-- > 0 && fires(attempt, FaultKind.BURST_LOSS);
  }

  /** Returns the position of the wrong bit on arrival, or -1. */
  long wrongBit(long attempt, int bytes) {
    return draws.corrupt.chance(key(), attempt, link.settings().damage().corruptPpm())
            && fires(attempt, FaultKind.CORRUPT)
        ? draws.corruptAt.below(key(), attempt, (long) bytes * Byte.SIZE)
        : -1;
  }

  /** Returns the travel time of this attempt, ns. */
  long travelNs(long attempt) {
    return draws.delayNs(key(), attempt, link.settings().delay(), fires)
        + draws.overtakenNs(
            key(), attempt, settings.overtakePpm(), settings.overtakeMaxNs(), fires);
  }
}
