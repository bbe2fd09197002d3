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

/**
 * The way from one interface to another, in one direction: how long it takes, what is lost, what is
 * overtaken. Whatever travels does so by itself, in no order.
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
  private final NicLane lane;
  private long ordinals;
  private long burstLeft;

  FabricLink(
      SimNetwork network,
      FabricSettings settings,
      NetworkDraws draws,
      VirtualTime time,
      SimLink link,
      SimNic sender,
      SimNic receiver) {
    fires = (key, attempt, kind) -> network.fires(link, ~attempt, kind);
    this.settings = settings;
    this.draws = draws;
    this.time = time;
    this.link = link;
    this.sender = sender;
    this.receiver = receiver;
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

  /** A number for one more message or write. */
  long nextOrdinal() {
    return ordinals++;
  }

  /** Whether anything gets to the other end now. */
  boolean passes() {
    return !link.isCut() && !link.isClogged() && isUp(sender) && isUp(receiver);
  }

  private static boolean isUp(SimNic nic) {
    return nic.state() == NicState.UP;
  }

  /** When the last of these bytes has left the sender. */
  long departureNs(int bytes) {
    return lane.pass(bytes, sender.egressLane().pass(bytes, time.nowNs()));
  }

  /** Runs {@code arrival} when so many bytes that are at the receiver now are in its memory. */
  void enter(int bytes, Runnable arrival) {
    long nowNs = time.nowNs();
    long enteredNs = receiver.ingressLane().pass(bytes, nowNs);
    if (enteredNs > nowNs) {
      time.at(enteredNs, arrival);
    } else {
      arrival.run();
    }
  }

  /** The number of one attempt to bring one piece over. */
  static long attempt(long ordinal, int piece, int attempt) {
    return ordinal << PIECE_BITS + ATTEMPT_BITS | (long) piece << ATTEMPT_BITS | attempt;
  }

  /** Whether what the seed brings to this attempt may happen. */
  private boolean fires(long attempt, FaultKind kind) {
    return fires.allows(key(), attempt, kind);
  }

  /** Whether this attempt does not get through. */
  boolean loses(long attempt) {
    // Asked first: a burst must begin, and go on, whatever else happens to the attempt.
    boolean isInBurst = isInBurst(attempt);
    return isInBurst
        || !passes()
        || (draws.loss.chance(key(), attempt, link.settings().loss().ppm())
            && fires(attempt, FaultKind.LOSS))
        || (draws.truncate.chance(key(), attempt, link.settings().damage().truncatePpm())
            && fires(attempt, FaultKind.TRUNCATE));
  }

  /** Whether the attempt is one of some in a row that are lost. */
  private boolean isInBurst(long attempt) {
    LossSettings loss = link.settings().loss();
    if (burstLeft == 0 && draws.burst.chance(key(), attempt, loss.burstPpm())) {
      burstLeft = draws.burstLength.between(key(), attempt, 1, loss.burstMaxPackets());
    }
    return burstLeft > 0 && burstLeft-- > 0 && fires(attempt, FaultKind.BURST_LOSS);
  }

  /** Which bit of this many bytes arrives wrong, or -1. */
  long wrongBit(long attempt, int bytes) {
    return draws.corrupt.chance(key(), attempt, link.settings().damage().corruptPpm())
            && fires(attempt, FaultKind.CORRUPT)
        ? draws.corruptAt.below(key(), attempt, (long) bytes * Byte.SIZE)
        : -1;
  }

  /** How long this attempt travels, ns. */
  long travelNs(long attempt) {
    return draws.delayNs(key(), attempt, link.settings().delay(), fires)
        + draws.overtakenNs(
            key(), attempt, settings.overtakePpm(), settings.overtakeMaxNs(), fires);
  }
}
