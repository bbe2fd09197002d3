package io.millrace.path.peer;

import io.millrace.driver.DriverException;
import io.millrace.ends.AllSteps;
import io.millrace.event.PathProbe;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.PathCalls;
import io.millrace.path.call.PeerCall;
import io.millrace.path.network.Rail;
import io.millrace.path.packet.FrameReceiver;
import io.millrace.path.packet.PathOwner;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.PeerIncarnation;
import io.millrace.path.piece.PathPieces;
import io.millrace.path.region.PathRegions;
import io.millrace.path.slot.PathSlots;
import io.millrace.path.slot.WorkerSlots;
import io.millrace.path.stream.PathStreams;
import io.millrace.path.write.PathWrites;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.PeerHealth;
import io.millrace.wire.codec.CloseReason;
import org.jspecify.annotations.Nullable;

/**
 * A path between a worker of this node and a worker of a peer, from its opening to its end. Puts
 * the rooms together (packets, calls, streams, writes, regions), gives each frame to a room, and
 * gives each room its part of a turn. Owned by the peer's actor, called by the worker's duty cycle
 * on the same thread. Does not allocate in the steady state.
 */
public final class PeerPath implements PathOwner, FrameReceiver {
  private final WorkerServices services;
  private final Owner owner;
  private final PeerLink link;
  private final PathPackets packets;
  private final PathRegions regions;
  private final PathWrites writes;
  private final PathCalls calls;
  private final PathStreams streams;
  private final @Nullable PathSlots slots;
  private final PathPieces pieces;
  private final PathDrain drain;

  /**
   * Hears of the end, the faults and the secrets of a path: the peer's actor. On the worker's
   * thread.
   */
  interface Owner {
    /** The owner of a path closed at once and known to no other part. */
    Owner NONE = new Owner() {};

    /** The path is closed and the transfers of the path have failed. */
    default void onPathEnded(PeerPath path) {}

    /** Handling the path threw; the path handles nothing more until the owner closes the path. */
    default void onPathFault(PeerPath path, Throwable fault) {}

    /** The path's secret is old. */
    default void onRenewalDue(PeerPath path) {}

    /**
     * The peer said, with proof, that the peer does not know the path's secret of this id any more.
     */
    default void onDoubt(PeerPath path, long wireId) {}

    /** Whether a handshake with the peer is under way. */
    default boolean isAsked() {
      return false;
    }

    /** Packets are opened under the secret of this id from now on. */
    default void onSecret(PeerPath path, long wireId) {}

    /** No packet is opened under the secret of this id any more. */
    default void onSecretGone(long wireId) {}
  }

  /**
   * Opens a path with the terms of a handshake; the path may send from now on.
   *
   * @throws DriverException if the peer's address cannot be used
   */
  static PeerPath open(WorkerServices services, Owner owner, PeerLink link, PathTerms terms)
      throws DriverException {
    int destination = services.network().open(terms.rails().rails());
    PeerPath path = new PeerPath(services, owner, link, terms, destination);
    services.paths().add(path);
    path.packets.touch();
    path.packets.onNics(services.context().time().wheel().timeNs());
    path.drain.onOpened();
    owner.onSecret(path, path.pathId());
    if (terms.asked().isLost()) {
      path.packets.renewal().tellLost(terms.asked().pathId());
    }
    services.context().counters().paths().put(path.pathId(), new PathView(path));
    services.events().onPathOpened(services.worker(), link.identity(), path.pathId());
    return path;
  }

  private PeerPath(
      WorkerServices services, Owner owner, PeerLink link, PathTerms terms, int destination) {
    this.services = services;
    this.owner = owner;
    this.link = link;
    packets =
        new PathPackets(
            services.context(), services.packets(), this, this, link.health(), terms, destination);
    writes = new PathWrites(packets, services.writes());
    regions = new PathRegions(packets, services.regions());
    regions.onRail(packets.rails().rail());
    calls = new PathCalls(packets, services.calls(), regions, writes);
    streams = new PathStreams(packets, calls, services.elements(), services.routes());
    calls.streams(streams);
    drain = new PathDrain(packets, calls);
    pieces = new PathPieces(packets, this);
    WorkerSlots blocks = services.slots();
    slots = blocks == null ? null : blocks.open(packets);
    packets.carry(writes.bulk(), writes, regions.regionFrames(), writes.requests());
  }

  /** The view of the path for other threads. */
  private record PathView(PeerPath path) implements PathProbe {
    @Override
    public String peer() {
      return path.peer();
    }

    @Override
    public long pathId() {
      return path.pathId();
    }

    @Override
    public long packetsAcked() {
      return path.recovery().counters().ackedPackets();
    }

    @Override
    public long packetsLost() {
      return path.recovery().counters().lostPackets();
    }

    @Override
    public PathState state() {
      PathRecovery recovery = path.recovery();
      return new PathState(
          recovery.rtt().smoothedNs(),
          recovery.bytesInFlight(),
          recovery.windowBytes(),
          recovery.pacingRateBytesPerSecond(),
          recovery.congestionState(),
          path.calls.calls().openCount(),
          path.calls.served().openCount());
    }
  }

  /** The peer's handshake address. */
  public String peer() {
    return link.identity();
  }

  /** The endpoint of this worker by which packets of the path leave now. */
  int endpoint() {
    return packets.rails().rail().local();
  }

  /** The life of the peer at the other end of this path. */
  public PeerIncarnation incarnation() {
    return packets.terms().peer();
  }

  /** The number of the path, known to both sides. */
  public long pathId() {
    return packets.pathId();
  }

  /** The id in the path's packets now. */
  long wireId() {
    return packets.keys().wireId();
  }

  /** The packets of the path: seal, recovery, size and liveness. */
  public PathPackets packets() {
    return packets;
  }

  /** Loss recovery of the path's packets; to look at. */
  public PathRecovery recovery() {
    return packets.recovery();
  }

  /** The calls of the path, both ways. */
  public PathCalls calls() {
    return calls;
  }

  /** The streams of the path, both ways. */
  public PathStreams streams() {
    return streams;
  }

  /** The writes of this side into the peer's regions. */
  public PathWrites writes() {
    return writes;
  }

  /** The regions of this side for writes of the peer. */
  public PathRegions regions() {
    return regions;
  }

  /** The slots of the path for written packets; null without slots of this side. */
  public @Nullable PathSlots slots() {
    return slots;
  }

  PathPieces pieces() {
    return pieces;
  }

  private void closeSlots() {
    if (slots != null) {
      slots.close();
    }
  }

  PathDrain drain() {
    return drain;
  }

  boolean isOver() {
    return packets.isOver();
  }

  /** Takes a call of this node; false without room for the call now, or at the end of the path. */
  boolean tryOpen(PeerCall call) {
    if (packets.isOver()) {
      return false;
    }
    packets.touch();
    String why = packets.rails().noWay();
    if (why != null) {
      link.refuse(call, CallOutcome.PEER_UNREACHABLE, why + "; this was not sent");
      return true;
    }
    call.demote(link.health().state() == PeerHealth.DEGRADED ? degradedLevels() : 0);
    if (drain.isPeerLeaving()) {
      refuseLate(call);
      return true;
    }
    return calls.tryOpen(call);
  }

  private void refuseLate(PeerCall call) {
    String text = peer() + " is about to shut down, and takes no more";
    if (link.refuse(call, CallOutcome.SHUTTING_DOWN, text)) {
      services.context().counters().callsFailed++;
    }
  }

  /** Whether a call would be refused now, with or without room for the call. */
  boolean isClosedToCalls() {
    return packets.isOver() || drain.isPeerLeaving() || packets.rails().noWay() != null;
  }

  private int degradedLevels() {
    return services.context().settings().recovery().health().degradedPriority();
  }

  /** Tells the peer, ends the path, and fails the transfers of the path. */
  void close(CloseReason reason, CallOutcome outcome, String text) {
    packets.close(reason, outcome, text);
  }

  /** Ends the path if no transfer is open on the path now, or was for a while. */
  public void evictIfIdle(long nowNs) {
    packets.onTurn(nowNs);
    if (!isOver() && isRestful() && packets.isIdle()) {
      close(CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, "other peers wanted the room");
    }
  }

  /** The peer says, on this path, that another path is unknown to the peer; rule U-4. */
  void onLost(long pathId) {
    packets.renewal().onVerdict();
    PeerPath lost = services.paths().ofId(pathId);
    if (lost != null && lost != this && lost.incarnation().equals(incarnation())) {
      lost.close(
          CloseReason.SUPERSEDED, CallOutcome.PEER_RESET, peer() + " has lost the path's secret");
    }
  }

  @Override
  public void onSecret(long wireId) {
    services.paths().addId(this, wireId);
    owner.onSecret(this, wireId);
  }

  @Override
  public void onSecretGone(long wireId) {
    services.paths().removeId(wireId);
    owner.onSecretGone(wireId);
  }

  @Override
  public boolean isAsked() {
    return owner.isAsked();
  }

  @Override
  public void onDoubt(long wireId) {
    services.events().onPathDoubted(services.worker(), peer(), wireId);
    owner.onDoubt(this, wireId);
  }

  /**
   * Sends nothing on this path before the peer has said that the peer does not know the other path.
   */
  void awaitVerdict() {
    packets.renewal().awaitVerdict();
  }

  @Override
  public void onRenewalDue() {
    owner.onRenewalDue(this);
  }

  @Override
  public void onPacket(long packetNumber) {
    writes.tokens().onPacket(packetNumber);
  }

  @Override
  public boolean onFrame(int template, SegmentBuffer buffer, int at, int end) {
    return services.readers().read(this, template, buffer, at, end);
  }

  @Override
  public boolean mayOpenLate(long nowNs) {
    return calls.challenges().mayOpen(nowNs);
  }

  @Override
  public void onLateFrame(int template, SegmentBuffer buffer, int at, int end) {
    services.readers().readLate(this, template, buffer, at, end);
  }

  @Override
  public boolean isWhole(SegmentBuffer buffer, int offset, int length) {
    return services.readers().isWhole(buffer, offset, length);
  }

  @Override
  public boolean onChunks(SegmentBuffer buffer, int offset) {
    return services.readers().readChunks(this, buffer, offset);
  }

  @Override
  public void makeRoom() {
    if (calls.pollRoom()) {
      link.onRoom();
    }
  }

  @Override
  public void endTurn() {
    drain.endTurn();
  }

  @Override
  public boolean isRestful() {
    return drain.isRestful();
  }

  @Override
  public void onGivenUp() {
    link.onGivenUp(this, isRestful());
  }

  @Override
  public void onSuspected() {
    regions.onSuspected();
    link.onSuspected(this);
  }

  @Override
  public void onTrusted() {
    regions.onTrusted();
    link.onTrusted(this);
  }

  @Override
  public void onRail(Rail rail) {
    packets.onRail(rail, services.network().pathMaxDatagramBytes(packets.destination()));
    regions.onRail(rail);
    writes.onRail();
    link.onRail(this);
    services
        .events()
        .onRailChanged(services.worker(), peer(), rail.local(), rail.address().family());
  }

  @Override
  public void onFault(Throwable fault) {
    owner.onPathFault(this, fault);
  }

  /** Gives back the path's resources first: the later calls may run code that throws. */
  @Override
  public void onEnd(CallOutcome outcome, String text) {
    packets.markEnded();
    try {
      AllSteps.run(
          () -> services.paths().remove(this),
          () -> services.context().counters().paths().remove(pathId()),
          () -> packets.keys().forEachId(owner::onSecretGone),
          packets::release,
          regions::close,
          writes::close,
          this::closeSlots,
          () -> calls.failAll(outcome, text),
          () -> services.events().onPathClosed(services.worker(), peer(), pathId(), text));
    } catch (RuntimeException | Error e) {
      services.events().onPeerFault(services.worker(), peer(), e);
    } finally {
      owner.onPathEnded(this);
    }
  }
}
