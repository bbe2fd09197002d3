package io.millrace.path.packet;

import io.millrace.config.LinkSettings;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.PathNetwork;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import io.millrace.protocol.session.PathRails;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.UseRailEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Connects the rails of a path to the path: watches the NICs and the acknowledgements, moves the
 * destination, and tells the peer. Also tries rails that may work again; rules N-5 to N-11. On the
 * worker's thread; does not allocate unless a rail is used first.
 */
public final class RailControl implements HeadSource, ItemOwner {
  private static final int FRAME_BYTES = FrameStart.LENGTH + UseRailEncoder.BLOCK_LENGTH;
  private static final int LEAST_TIMEOUTS = 2;
  private static final long NANOS_PER_MICRO = 1_000;
  private static final int UNTOLD = -1;

  /**
   * Items of packets over a rail being tried have this bit; the other items have the number of the
   * move.
   */
  private static final long TRY = 1L << 55;

  private final PathContext path;
  private final PathOwner owner;
  private final RailPlan plan;
  private final PathNetwork network;
  private final PathRails machine;
  private final long silenceNs;
  private final UseRailEncoder encoder = new UseRailEncoder();

  /** For each rail, whether the peer is known to receive there; rule N-10. */
  private final boolean[] proved;

  /**
   * The time of the next probe of the endpoint of the rail in use, unless the endpoint is proved.
   */
  private long nextProofNs = Long.MIN_VALUE;

  /** The time at which the present silence began, as far as probe timeouts show. */
  private long silentSinceNs;

  /** The drain time of the queue in front of the peer's endpoint in use, us. */
  private long remoteQueueUs;

  /** The drain time of this side's queue that the peer was told last, us. */
  private int toldQueueUs;

  private int timeouts;
  private long moves;

  RailControl(PathContext path, PathOwner owner, PathTerms terms, PathMachines machines) {
    this.path = path;
    this.owner = owner;
    plan = terms.rails();
    network = path.worker().network();
    machine = machines.rails(path.worker().time().wheel().timeNs());
    silenceNs = machines.railSilenceNs();
    proved = new boolean[plan.rails().size()];
    for (int i = 0; i < proved.length; i++) {
      proved[i] = plan.rails().get(i).isProved();
    }
    if (plan.isPinned()) {
      machine.insist();
    }
    machine.start(network.rail(path.destination()), path.worker().time().wheel().timeNs());
    // The advert told the queue of the worker's own NIC.
    toldQueueUs = network.queueUs(0);
    remoteQueueUs = Math.max(0, terms.queueNs() / NANOS_PER_MICRO - toldQueueUs);
    tellQueue();
  }

  /** The rail in use. */
  public Rail rail() {
    return plan.rails().get(machine.rail());
  }

  /**
   * The number of times that the path has started over: by another rail, or by a rail back from a
   * failure.
   */
  public long moves() {
    return moves;
  }

  /** Whether more than probes and acknowledgements may go by the rail in use. */
  public boolean mayCarry() {
    return proved[machine.rail()];
  }

  /** Whether a probe should go because the endpoint of the rail in use is not proved. */
  boolean pollProof(long nowNs) {
    if (mayCarry() || nowNs < nextProofNs) {
      return false;
    }
    nextProofNs = nowNs + path.recovery().probeIntervalNs();
    return true;
  }

  /** The peer has answered a probe that went by this rail. */
  void onProved(int rail) {
    proved[rail] = true;
    path.touch();
  }

  /** Returns why no packet can reach the peer now, or null if a NIC of this node is up. */
  public @Nullable String noWay() {
    if (machine.hasRail()) {
      return null;
    }
    return "no NIC of this node that leads to "
        + path.peer()
        + " is up: "
        + network.nics(plan.rails().stream().mapToInt(Rail::local));
  }

  /** The NICs of this worker may have changed. */
  void watch(long nowNs) {
    boolean isMoved = false;
    boolean hadRail = machine.hasRail();
    for (int i = 0; i < plan.rails().size(); i++) {
      isMoved |= machine.onLocal(i, network.isUp(plan.rails().get(i).local()), nowNs);
    }
    follow(isMoved);
    if (!hadRail && !isMoved && machine.hasRail()) {
      startOver();
    }
    path.touch();
  }

  /** A deadline of loss recovery has passed, perhaps with a probe timeout. */
  void onRecoveryDeadline(long nowNs) {
    int inRow = path.recovery().probeTimeoutsInRow();
    if (inRow <= 1 || inRow <= timeouts) {
      silentSinceNs = nowNs;
    }
    timeouts = inRow;
    checkSilence(nowNs);
  }

  /**
   * The network says that nobody takes packets at the peer's end of the rail in use.
   *
   * @return whether the path goes on by another rail; false if no rail is left
   */
  boolean onRefused(long nowNs) {
    int before = network.rail(path.destination());
    follow(machine.onRefused(nowNs));
    return network.rail(path.destination()) != before;
  }

  private boolean isSilent() {
    return timeouts >= LEAST_TIMEOUTS
        && path.recovery().probeTimeoutsInRow() >= LEAST_TIMEOUTS
        && plan.rails().size() > 1;
  }

  private void checkSilence(long nowNs) {
    if (isSilent() && nowNs - silentSinceNs >= silenceNs) {
      silentSinceNs = nowNs;
      timeouts = 0;
      follow(machine.onSilence(nowNs));
    }
  }

  /** The peer moved the path, as a UseRail frame says. */
  public void onPeer(long number, int initiatorEndpoint, int responderEndpoint, long nowNs) {
    boolean isInitiator = plan.isInitiator();
    int local = isInitiator ? initiatorEndpoint : responderEndpoint;
    int remote = isInitiator ? responderEndpoint : initiatorEndpoint;
    follow(machine.onPeer(number, plan.indexOf(local, remote), nowNs));
    tellQueue();
    path.touch();
  }

  /**
   * The peer told how long the queue in front of its endpoint takes to drain; an earlier number is
   * old news. Rule N-11.
   */
  public void onPeerQueue(long number, long queueUs) {
    if (number >= machine.number()) {
      remoteQueueUs = Math.min(queueUs, LinkSettings.LONGEST_QUEUE_US);
      countQueues();
    }
  }

  private void countQueues() {
    path.recovery()
        .onMaxAckDelay(
            path.worker().settings().recovery().ackDelayNs()
                + (remoteQueueUs + localQueueUs()) * NANOS_PER_MICRO);
  }

  private void tellQueue() {
    if (localQueueUs() != toldQueueUs) {
      machine.tellAgain();
    }
  }

  private int localQueueUs() {
    return network.queueUs(rail().local());
  }

  void onDeadline(long nowNs) {
    checkSilence(nowNs);
    machine.onDeadline(nowNs);
  }

  long nextDeadlineNs() {
    long silentNs = isSilent() ? silentSinceNs + silenceNs : Long.MAX_VALUE;
    long proofNs = mayCarry() ? Long.MAX_VALUE : nextProofNs;
    return Math.min(Math.min(silentNs, proofNs), machine.nextDeadlineNs());
  }

  /** Returns the rail for a packet to try now, or -1. */
  int pollTry() {
    return machine.pollTry();
  }

  /** The packet of {@link #pollTry} could not be sent. */
  void onTryUnsent(long nowNs) {
    machine.onTryUnsent(nowNs);
  }

  /** The item of a packet over a rail being tried. */
  static long tryItem(int rail) {
    return PacketItems.of(PacketItems.RAIL, TRY | rail);
  }

  private void follow(boolean isMoved) {
    if (!isMoved) {
      return;
    }
    if (!network.use(path.destination(), machine.rail())) {
      boolean isElsewhere = machine.onUnusable(path.nowNs());
      if (!isElsewhere || !network.use(path.destination(), machine.rail())) {
        return;
      }
    }
    path.worker().counters().railMoves++;
    startOver();
    countQueues();
    tellQueue();
    owner.onRail(rail());
    path.touch();
  }

  /** Frames waiting for another rail, or for this rail to come back, go by this rail at once. */
  private void startOver() {
    moves++;
    nextProofNs = Long.MIN_VALUE;
    path.recovery().onAnyPacketReceived();
  }

  @Override
  public boolean isDue() {
    return machine.isTellingDue();
  }

  @Override
  public int encode(SegmentBuffer out, int position, int end, PacketLog log) {
    if (position + FRAME_BYTES > end || !log.canAddItem()) {
      return position;
    }
    Rail rail = rail();
    boolean isInitiator = plan.isInitiator();
    int block = UseRailEncoder.BLOCK_LENGTH;
    FrameStart.encode(out, position, FRAME_BYTES, block, UseRailEncoder.TEMPLATE_ID);
    encoder
        .wrap(out, position + FrameStart.LENGTH)
        .number(machine.number())
        .initiatorEndpoint((short) (isInitiator ? rail.local() : rail.remote()))
        .responderEndpoint((short) (isInitiator ? rail.remote() : rail.local()))
        .queueUs(localQueueUs());
    toldQueueUs = localQueueUs();
    log.addItem(PacketItems.of(PacketItems.RAIL, machine.number() & (TRY - 1)));
    machine.onTold();
    return position + FRAME_BYTES;
  }

  @Override
  public boolean onItemAcked(long item) {
    long rest = item & PacketItems.REST_MASK;
    if ((rest & TRY) != 0) {
      follow(machine.onTryAnswered((int) (rest & ~TRY), path.nowNs()));
    }
    return false;
  }

  @Override
  public void onItemLost(long item) {
    long rest = item & PacketItems.REST_MASK;
    if ((rest & TRY) == 0) {
      machine.onTellingLost(rest);
      if (localQueueUs() + network.queueUs(0) > 0) {
        toldQueueUs = UNTOLD;
        tellQueue();
      }
      path.touch();
    }
  }

  @Override
  public boolean onItemRetransmit(long item) {
    onItemLost(item);
    return false;
  }
}
