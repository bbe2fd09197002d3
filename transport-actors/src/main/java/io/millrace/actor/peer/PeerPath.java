package io.millrace.actor.peer;

import io.millrace.actor.body.BodyOpener;
import io.millrace.actor.dispatcher.EventLoop;
import io.millrace.driver.DriverException;
import io.millrace.driver.SendBuffer;
import io.millrace.event.TransportEvents;
import io.millrace.protocol.recovery.AckOutcome;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.CloseReason;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One path: packets under one path secret between a worker of this node and one of a peer. It holds
 * the machines of the path and connects them: what arrives, what is sent, when to wake. Owned by
 * the peer's actor, called by the worker's duty cycle on the same thread; whatever it throws there
 * is caught here and told to the owner. Does not allocate in the steady state.
 */
public final class PeerPath implements TimerHandler {
  /** A shorter silence is a queue on the way, and not a size that is not carried. */
  private static final long BLACK_HOLE_SILENCE_NS = 100_000_000;

  private final WorkerServices services;
  private final PathOwner owner;
  private final PeerLink link;
  private final PathTerms terms;
  private final int destination;
  private final int remoteWorker;
  private final PathKeys keys;
  private final PathSize size;
  private final ReceivedPackets received;
  private final PathRecovery recovery;
  private final PathLiveness liveness;
  private final PathTransfers transfers;
  private final PathControl control;
  private final PathTrains trains;
  private final PathWrites writes;
  private final PathRegions regions;
  private final RareFrames rareFrames = new RareFrames();
  private final PathItems items = new PathItems(this);
  private final PathDeparture departure = new PathDeparture(this);
  private final Schedulable<PeerPath> place = new Schedulable<>(this);
  private final Timer timer = new Timer(this, 0);
  private long heardNs;
  private boolean touched;
  private boolean stalled;
  private boolean faulted;
  private boolean ended;
  private boolean roomMade;
  private boolean writesChanged;

  /**
   * Opens a path that the handshake settled; it may send from now on.
   *
   * @throws DriverException if the peer's address cannot be used
   */
  static PeerPath open(WorkerServices services, PathOwner owner, PeerLink link, PathTerms terms)
      throws DriverException {
    int destination = services.endpoint().resolve(terms.remoteAddress());
    PeerPath path = new PeerPath(services, owner, link, terms, destination);
    services.paths().add(path);
    services.touched().add(path);
    path.departure.onOpened();
    services.events().onPathOpened(services.worker(), link.identity(), path.pathId());
    return path;
  }

  private PeerPath(
      WorkerServices services, PathOwner owner, PeerLink link, PathTerms terms, int destination) {
    this.services = services;
    this.owner = owner;
    this.link = link;
    this.terms = terms;
    this.destination = destination;
    this.remoteWorker = terms.remoteWorker();
    PathMachines machines = new PathMachines(services.settings(), terms);
    keys = machines.keys(services.aead());
    int localBytes = services.endpoint().pathMaxDatagramBytes(destination);
    size = new PathSize(this, Math.min(terms.maxDatagramBytes(), localBytes));
    received = machines.received();
    recovery = machines.recovery();
    liveness = new PathLiveness(this, link, machines.liveness());
    writes = new PathWrites(this);
    regions = new PathRegions(this);
    transfers = new PathTransfers(services, this, terms);
    control = new PathControl(this, received);
    trains = new PathTrains(this, place);
  }

  /** The peer's handshake address. */
  public String peer() {
    return link.identity();
  }

  /** The life of the peer that this path leads to. */
  PeerIncarnation incarnation() {
    return terms.peer();
  }

  /** Its number, which both sides know it by. */
  public long pathId() {
    return terms.secret().pathId();
  }

  int remoteWorker() {
    return remoteWorker;
  }

  int destination() {
    return destination;
  }

  WorkerServices services() {
    return services;
  }

  PathKeys keys() {
    return keys;
  }

  ReceivedPackets received() {
    return received;
  }

  /** What becomes of what it sends; to look at. */
  public PathRecovery recovery() {
    return recovery;
  }

  PathTransfers transfers() {
    return transfers;
  }

  PathControl control() {
    return control;
  }

  PathWrites writes() {
    return writes;
  }

  PathRegions regions() {
    return regions;
  }

  PathDeparture departure() {
    return departure;
  }

  PathTrains trains() {
    return trains;
  }

  RareFrames rareFrames() {
    return rareFrames;
  }

  /** Sends a frame that is kept until it has arrived. */
  void sendRare(RareFrame frame) {
    rareFrames.add(frame);
    transfers.queueAgain(frame);
  }

  /** The time of this turn. */
  long nowNs() {
    return control.nowNs();
  }

  boolean isEnded() {
    return ended;
  }

  /** What datagrams of this path may have. */
  PathSize size() {
    return size;
  }

  /** Bytes that a datagram of this path may have now. */
  int datagramBytes() {
    return size.datagramBytes();
  }

  /** A datagram came whose header names this path. */
  public void onDatagram(UnsafeBuffer buffer, int offset, int length, int ecn, long nowNs) {
    if (isOver()) {
      return;
    }
    try {
      control.onTurn(nowNs);
      services.reader().read(this, buffer, offset, length, ecn, nowNs);
    } catch (ProtocolViolationException e) {
      onViolation(e);
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
  }

  /** The deadline of the path's machines has come, or the time of its next train. */
  @Override
  public void onTimer(Timer fired, long nowNs) {
    if (isOver()) {
      return;
    }
    try {
      control.onTurn(nowNs);
      if (fired != timer) {
        trains.offer();
        return;
      }
      services.touched().add(this);
      if (recovery.nextDeadlineNs() <= nowNs) {
        recovery.onDeadline(nowNs, items);
        if (nowNs - heardNs >= BLACK_HOLE_SILENCE_NS) {
          size.onTimeoutsInRow(recovery.probeTimeoutsInRow());
        }
        reactivate();
      }
      liveness.onDeadline(nowNs);
      writesChanged |= writes.nextDeadlineNs() <= nowNs;
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
  }

  /**
   * Sends one train that begins with frames of {@code level}.
   *
   * @return false if nothing was sent: then {@link #isStalled()} says whether for want of a buffer
   */
  public boolean transmit(int level, long nowNs) {
    stalled = false;
    if (isOver()) {
      return false;
    }
    SendBuffer buffer = services.endpoint().acquireSendBuffer();
    if (buffer == null) {
      stalled = true;
      services.counters().sendBufferStalls++;
      return false;
    }
    boolean isSent = build(buffer, level, nowNs);
    if (!isSent) {
      services.endpoint().releaseSendBuffer(buffer);
    }
    if (!isOver()) {
      trains.onTurn(level, isSent);
    }
    return isSent;
  }

  private boolean build(SendBuffer buffer, int level, long nowNs) {
    try {
      control.onTurn(nowNs);
      return trains.send(buffer, level, nowNs);
    } catch (RuntimeException | Error e) {
      onFault(e);
      return false;
    }
  }

  /** Whether the last {@link #transmit} found no free send buffer. */
  public boolean isStalled() {
    return stalled;
  }

  /** An ICMP error named the peer's address. */
  public void onUnreachable() {
    events().onPeerUnreachable(services.worker(), peer());
  }

  /** The system sends no larger datagram to the peer. */
  public void onLocalMtu(int maxDatagramBytes) {
    size.onLocalLimit(maxDatagramBytes);
  }

  boolean touch() {
    boolean first = !touched;
    touched = true;
    return first;
  }

  /** The look before the worker transmits. */
  void makeRoom() {
    if (roomMade && !isOver()) {
      roomMade = false;
      link.onRoom();
    }
  }

  /** The last look of a turn: what must go now, and when to wake. */
  void endTurn(long nowNs) {
    touched = false;
    if (isOver()) {
      return;
    }
    try {
      control.onTurn(nowNs);
      boolean isPlacing = writesChanged;
      writesChanged = false;
      writes.endTurn(isPlacing, nowNs);
      transfers.settleOversized(size.isSettled());
      departure.endTurn();
      boolean silent = liveness.onTurnEnd(departure.isRestful(), nowNs);
      if (silent
          || (recovery.probesWanted() > 0
              && transfers.sendableLevels() == 0
              && writes.carrier().packetLevels() == 0)) {
        control.wantProbe();
      }
      services.controls().send(this, nowNs);
      size.sendProbe(nowNs);
      setTimer();
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
  }

  void onAuthenticPacket(long packetNumber, long nowNs) {
    writes.tokens().onPacket(packetNumber);
    transfers.onPacket(packetNumber);
    recovery.onAnyPacketReceived();
    heardNs = nowNs;
    liveness.onPacketReceived(nowNs);
    services.touched().add(this);
  }

  void onAck(AckDecoder ack, long nowNs) {
    transfers.onLimit(ack.inlineLimit());
    if (recovery.onAck(ack, nowNs, items) == AckOutcome.VIOLATION) {
      throw new ProtocolViolationException("an acknowledgement of packets that were never sent");
    }
    reactivate();
  }

  void onPeerClosed(int reason, String text) {
    String cause =
        reason == CloseReason.SHUTDOWN.value() ? "the peer shut down" : "the peer gave up the path";
    if (!isOver()) {
      services.endpoint().release(destination);
      end(CallOutcome.PEER_RESET, text.isEmpty() ? cause : text);
    }
  }

  /** Whether the path has ended or its handling threw: it handles and sends nothing more. */
  boolean isOver() {
    return ended || faulted;
  }

  /** Takes a call of this node; false when there is no room for it now, or the path is over. */
  boolean tryOpen(PeerCall call) {
    if (isOver()) {
      return false;
    }
    services.touched().add(this);
    return departure.refuses(call) || transfers.tryOpen(call);
  }

  void activate(int level) {
    trains.onWaiting(level);
    services.touched().add(this);
  }

  /** Parts or tokens came: what waits may be placed. */
  void onWritesChanged() {
    writesChanged = true;
    services.touched().add(this);
  }

  /** There is something to say about regions. */
  void onRegionControlDue() {
    services.touched().add(this);
  }

  void discardAllOf(@Nullable BodyOpener opener) {
    if (opener != null && !ended) {
      regions.discardAllOf(opener);
      services.touched().add(this);
    }
  }

  void onCreditDue() {
    control.wantCredit();
    services.touched().add(this);
  }

  void onCallEnded() {
    roomMade = true;
    services.touched().add(this);
  }

  boolean maySendChunks(int bytes) {
    return recovery.canSend(bytes) && recovery.canOpenPacket(PacketHeader.MAX_CHUNKS);
  }

  boolean maySend(int bytes) {
    return recovery.canSend(bytes) && recovery.canOpenPacket(1);
  }

  void onPacketSealed(int bytes, boolean ackEliciting, boolean logged, long nowNs) {
    if (logged) {
      recovery.onPacketSent(bytes, ackEliciting, nowNs);
    } else {
      recovery.onUnloggedPacketSent(keys.nextPacketNumber() - 1, nowNs);
    }
    if (keys.hasRotated()) {
      events().onKeyRotated(services.worker(), peer(), keys.sealingKeyId());
    }
    if (ackEliciting) {
      liveness.onAckElicitingSent();
      services.touched().add(this);
    }
  }

  /** Tells the peer, ends the path, and fails its transfers. */
  void close(CloseReason reason, CallOutcome outcome, String text) {
    if (!ended) {
      // A message of the peer's actor may come long after the path's last turn.
      EventLoop loop = EventLoop.currentOrNull();
      if (loop != null) {
        control.onTurn(loop.nowNs());
      }
      services.farewells().add(this, reason);
      end(outcome, text);
    }
  }

  private void onViolation(ProtocolViolationException violation) {
    services.counters().protocolViolations++;
    events().onProtocolViolation(services.worker(), peer(), String.valueOf(violation.getMessage()));
    close(
        CloseReason.PROTOCOL_VIOLATION,
        CallOutcome.PEER_RESET,
        "the peer broke the protocol: " + violation.getMessage());
  }

  /** Handling this path threw; it stays with this peer. */
  void onFault(Throwable fault) {
    if (!isOver()) {
      faulted = true;
      services.counters().peerFaults++;
      try {
        events().onPeerFault(services.worker(), peer(), fault);
      } finally {
        owner.onPathFault(this, fault);
      }
    }
  }

  /** Gives back what the path holds first: what is told afterwards may run code that throws. */
  private void end(CallOutcome outcome, String text) {
    ended = true;
    try {
      services.paths().remove(this);
      services.scheduler().remove(place);
      services.wheel().cancel(timer);
      trains.close();
      services.budget().giveBack(terms.receiveWindowBytes());
      transfers.close(nowNs());
      keys.close();
      regions.close();
      writes.close();
      transfers.failAll(outcome, text);
      events().onPathClosed(services.worker(), peer(), pathId(), text);
    } catch (RuntimeException | Error e) {
      events().onPeerFault(services.worker(), peer(), e);
    } finally {
      owner.onPathEnded(this);
    }
  }

  /** Posts the packet that was built last, which waits for no rate. */
  void postUrgent(SendBuffer buffer) {
    int length = services.train().length();
    trains.onUrgent(length, nowNs());
    services.endpoint().postSend(destination, buffer, length, length, 0);
  }

  /** What waits is offered to the scheduler again. */
  void reactivate() {
    trains.offer();
  }

  private void setTimer() {
    long deadlineNs = Math.min(recovery.nextDeadlineNs(), received.ackDeadlineNs());
    deadlineNs = Math.min(deadlineNs, liveness.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, writes.nextDeadlineNs());
    if (deadlineNs == Long.MAX_VALUE) {
      services.wheel().cancel(timer);
    } else if (deadlineNs != timer.deadlineNs()) {
      services.wheel().schedule(timer, deadlineNs);
    }
  }

  private TransportEvents events() {
    return services.events();
  }
}
