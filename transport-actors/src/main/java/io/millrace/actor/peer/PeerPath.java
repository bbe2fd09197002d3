package io.millrace.actor.peer;

import io.millrace.actor.call.PathCalls;
import io.millrace.actor.call.PeerCall;
import io.millrace.actor.packet.PathOwner;
import io.millrace.actor.packet.PathPackets;
import io.millrace.actor.packet.PathTerms;
import io.millrace.actor.packet.PeerIncarnation;
import io.millrace.actor.region.PathRegions;
import io.millrace.actor.stream.PathStreams;
import io.millrace.actor.write.PathWrites;
import io.millrace.driver.DriverException;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CloseReason;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One path between a worker of this node and one of a peer, from its opening to its end: puts the
 * rooms together (packets, calls, streams, writes, regions), gives each frame to its room and each
 * room its part of a turn. Owned by the peer's actor, called by the worker's duty cycle on the same
 * thread. Does not allocate in the steady state.
 */
public final class PeerPath implements PathOwner {
  private final WorkerServices services;
  private final Owner owner;
  private final PeerLink link;
  private final PathPackets packets;
  private final PathRegions regions;
  private final PathWrites writes;
  private final PathCalls calls;
  private final PathStreams streams;
  private final PathDeparture departure;

  /** Who is told what becomes of a path: its peer's actor. On the worker's thread. */
  interface Owner {
    /** The path is closed and its transfers have failed. */
    void onPathEnded(PeerPath path);

    /** Handling the path threw; it handles nothing more until the owner closes it. */
    void onPathFault(PeerPath path, Throwable fault);
  }

  /**
   * Opens a path that the handshake settled; it may send from now on.
   *
   * @throws DriverException if the peer's address cannot be used
   */
  static PeerPath open(WorkerServices services, Owner owner, PeerLink link, PathTerms terms)
      throws DriverException {
    int destination = services.endpoint().resolve(terms.remoteAddress());
    PeerPath path = new PeerPath(services, owner, link, terms, destination);
    services.paths().add(path);
    path.packets.touch();
    path.departure.onOpened();
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
            services.context(), services.packets(), this, link.identity(), terms, destination);
    writes = new PathWrites(packets, services.writes());
    regions = new PathRegions(packets, services.regions());
    calls = new PathCalls(packets, services.calls(), regions, writes);
    streams = new PathStreams(packets, calls, services.elements(), services.routes());
    calls.streams(streams);
    departure = new PathDeparture(packets, calls);
    packets.carry(writes, regions.regionFrames(), writes.requests());
  }

  /** The peer's handshake address. */
  public String peer() {
    return link.identity();
  }

  /** The life of the peer that this path leads to. */
  PeerIncarnation incarnation() {
    return packets.terms().peer();
  }

  /** Its number, which both sides know it by. */
  public long pathId() {
    return packets.pathId();
  }

  /** Its packets: seal, recovery, size and liveness. */
  public PathPackets packets() {
    return packets;
  }

  /** What becomes of what it sends; to look at. */
  public PathRecovery recovery() {
    return packets.recovery();
  }

  /** Its calls, both ways. */
  public PathCalls calls() {
    return calls;
  }

  /** Its streams, both ways. */
  public PathStreams streams() {
    return streams;
  }

  /** What this side writes into the peer's regions. */
  public PathWrites writes() {
    return writes;
  }

  /** What the peer writes into this side's regions. */
  public PathRegions regions() {
    return regions;
  }

  PathDeparture departure() {
    return departure;
  }

  boolean isOver() {
    return packets.isOver();
  }

  /** Takes a call of this node; false when there is no room for it now, or the path is over. */
  boolean tryOpen(PeerCall call) {
    if (packets.isOver()) {
      return false;
    }
    packets.touch();
    return departure.refuses(call) || calls.tryOpen(call);
  }

  /** Tells the peer, ends the path, and fails its transfers. */
  void close(CloseReason reason, CallOutcome outcome, String text) {
    packets.close(reason, outcome, text);
  }

  @Override
  public void onPacket(long packetNumber) {
    writes.tokens().onPacket(packetNumber);
  }

  @Override
  public boolean onFrame(int template, UnsafeBuffer buffer, int at, int end) {
    return services.readers().read(this, template, buffer, at, end);
  }

  @Override
  public boolean isWhole(UnsafeBuffer buffer, int offset, int length) {
    return services.readers().isWhole(buffer, offset, length);
  }

  @Override
  public boolean onChunks(UnsafeBuffer buffer, int offset) {
    return services.readers().readChunks(this, buffer, offset);
  }

  @Override
  public void onTimer(long nowNs) {
    writes.onTimer(nowNs);
  }

  @Override
  public long nextDeadlineNs() {
    return writes.nextDeadlineNs();
  }

  @Override
  public void makeRoom() {
    if (calls.pollRoom()) {
      link.onRoom();
    }
  }

  @Override
  public void endTurn(long nowNs) {
    writes.endTurn(nowNs);
    departure.endTurn();
  }

  @Override
  public boolean isRestful() {
    return departure.isRestful();
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
  public void onFault(Throwable fault) {
    owner.onPathFault(this, fault);
  }

  /** Gives back what the path holds first: what is told afterwards may run code that throws. */
  @Override
  public void onEnd(CallOutcome outcome, String text) {
    packets.markEnded();
    try {
      services.paths().remove(this);
      packets.release();
      regions.close();
      writes.close();
      calls.failAll(outcome, text);
      services.events().onPathClosed(services.worker(), peer(), pathId(), text);
    } catch (RuntimeException | Error e) {
      services.events().onPeerFault(services.worker(), peer(), e);
    } finally {
      owner.onPathEnded(this);
    }
  }
}
