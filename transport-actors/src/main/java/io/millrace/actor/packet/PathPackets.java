package io.millrace.actor.packet;

import io.millrace.actor.dispatcher.EventLoop;
import io.millrace.driver.SendBuffer;
import io.millrace.protocol.recovery.AckOutcome;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.CloseReason;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The packets of one path under one path secret: how they are sealed, acknowledged, recovered,
 * sized and paced, when the path wants a turn, and whether its peer is there. What is in them is
 * the {@link PathOwner}'s. Whatever is thrown while the path is handled is caught here and told to
 * the owner. On the worker's thread; does not allocate in the steady state.
 */
public final class PathPackets
    implements PathContext, TimerHandler, TouchedPaths.Member, WorkerContext.Sender {
  private final WorkerContext worker;
  private final WorkerPackets tools;
  private final PathOwner owner;
  private final String peer;
  private final PathTerms terms;
  private final int destination;
  private final PathKeys keys;
  private final PathSize size;
  private final ReceivedPackets received;
  private final PathRecovery recovery;
  private final PathLiveness liveness;
  private final InlineCredit credit;
  private final PathFrames frames;
  private final PathControl control;
  private final PathTrains trains;
  private final PathItems items;
  private final Schedulable<WorkerContext.Sender> place = new Schedulable<>(this);
  private final Timer timer = new Timer(this, 0);
  private HeadSource[] heads = {};
  private long nowNs;
  private boolean touched;
  private boolean stalled;
  private boolean faulted;
  private boolean ended;

  /**
   * The packets of a path that the handshake settled.
   *
   * @param peer the peer's handshake address
   * @param destination the peer's worker, as the endpoint knows it
   */
  public PathPackets(
      WorkerContext worker,
      WorkerPackets tools,
      PathOwner owner,
      String peer,
      PathTerms terms,
      int destination) {
    this.worker = worker;
    this.tools = tools;
    this.owner = owner;
    this.peer = peer;
    this.terms = terms;
    this.destination = destination;
    PathMachines machines = new PathMachines(worker.settings(), terms);
    keys = machines.keys(worker.aead());
    received = machines.received();
    recovery = machines.recovery();
    int localBytes = worker.endpoint().pathMaxDatagramBytes(destination);
    size = new PathSize(this, Math.min(terms.maxDatagramBytes(), localBytes), this::offer);
    liveness = new PathLiveness(this, owner, machines.liveness());
    credit = new InlineCredit(this, terms);
    frames = new PathFrames(this, terms, size);
    control = new PathControl(this, received, credit);
    trains = new PathTrains(this, tools.train(), place);
    items = new PathItems(this, size, received, credit);
    items.own(PacketItems.RARE, frames.rareItems());
  }

  /** Bulk comes from here, and these frames go at the head of packets, in this order. */
  public void carry(BulkSource bulk, HeadSource... heads) {
    trains.carry(bulk);
    this.heads = heads.clone();
  }

  /** What becomes of items of this kind is told to {@code itemOwner}. */
  public void own(int kind, ItemOwner itemOwner) {
    items.own(kind, itemOwner);
  }

  @Override
  public String peer() {
    return peer;
  }

  /** What the handshake settled. */
  public PathTerms terms() {
    return terms;
  }

  @Override
  public long pathId() {
    return terms.secret().pathId();
  }

  @Override
  public int destination() {
    return destination;
  }

  @Override
  public WorkerContext worker() {
    return worker;
  }

  @Override
  public PathRecovery recovery() {
    return recovery;
  }

  @Override
  public long nowNs() {
    return nowNs;
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  @Override
  public boolean isOver() {
    return ended || faulted;
  }

  /** Its keys and packet numbers. */
  public PathKeys keys() {
    return keys;
  }

  /** What its datagrams may have. */
  public PathSize size() {
    return size;
  }

  /** The frames that wait, and the credit for them. */
  public PathFrames frames() {
    return frames;
  }

  /** What the peer may send unasked. */
  public InlineCredit credit() {
    return credit;
  }

  /** What goes in its next train, and when. */
  public PathTrains trains() {
    return trains;
  }

  PathOwner owner() {
    return owner;
  }

  ReceivedPackets received() {
    return received;
  }

  PathControl control() {
    return control;
  }

  boolean isControlDue() {
    boolean isDue = control.isDue();
    for (HeadSource head : heads) {
      isDue |= head.isDue();
    }
    return isDue;
  }

  int encodeHeads(UnsafeBuffer out, int position, int end, PacketLog log) {
    int at = position;
    for (HeadSource head : heads) {
      if (head.isDue()) {
        at = head.encode(out, at, end, log);
      }
    }
    return at;
  }

  /** The path is handled, now: what was allowed long ago is not used any more. */
  public void onTurn(long turnNs) {
    nowNs = turnNs;
    frames.onTime(turnNs);
  }

  /** A datagram came whose header names this path. */
  public void onDatagram(UnsafeBuffer buffer, int offset, int length, int ecn, long turnNs) {
    if (isOver()) {
      return;
    }
    try {
      onTurn(turnNs);
      tools.reader().read(this, buffer, offset, length, ecn, turnNs);
    } catch (ProtocolViolationException e) {
      onViolation(e);
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
  }

  /** The deadline of the path's machines has come, or the time of its next train. */
  @Override
  public void onTimer(Timer fired, long firedNs) {
    if (isOver()) {
      return;
    }
    try {
      onTurn(firedNs);
      if (fired != timer) {
        trains.offer();
        return;
      }
      touch();
      if (recovery.nextDeadlineNs() <= firedNs) {
        recovery.onDeadline(firedNs, items);
        trains.offer();
      }
      liveness.onDeadline(firedNs);
      owner.onTimer(firedNs);
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
  }

  @Override
  public boolean transmit(int level, long turnNs) {
    stalled = false;
    if (isOver()) {
      return false;
    }
    SendBuffer buffer = worker.endpoint().acquireSendBuffer();
    if (buffer == null) {
      stalled = true;
      worker.counters().sendBufferStalls++;
      return false;
    }
    boolean isSent = build(buffer, level, turnNs);
    if (!isSent) {
      worker.endpoint().releaseSendBuffer(buffer);
    }
    if (!isOver()) {
      trains.onTurn(level, isSent);
    }
    return isSent;
  }

  private boolean build(SendBuffer buffer, int level, long turnNs) {
    try {
      onTurn(turnNs);
      return trains.send(buffer, level, turnNs);
    } catch (RuntimeException | Error e) {
      onFault(e);
      return false;
    }
  }

  @Override
  public boolean isStalled() {
    return stalled;
  }

  /** An ICMP error named the peer's address. */
  public void onUnreachable() {
    worker.events().onPeerUnreachable(worker.worker(), peer);
  }

  /** The system sends no larger datagram to the peer. */
  public void onLocalMtu(int maxDatagramBytes) {
    size.onLocalLimit(maxDatagramBytes);
  }

  @Override
  public void touch() {
    worker.touched().add(this);
  }

  @Override
  public boolean startTouch() {
    boolean first = !touched;
    touched = true;
    return first;
  }

  @Override
  public void makeRoom() {
    if (!isOver()) {
      owner.makeRoom();
    }
  }

  /** The last look of a turn: what must go now, and when to wake. */
  @Override
  public void endTurn(long turnNs) {
    touched = false;
    if (isOver()) {
      return;
    }
    try {
      onTurn(turnNs);
      frames.settle();
      owner.endTurn(turnNs);
      boolean silent = liveness.onTurnEnd(owner.isRestful(), turnNs);
      if (silent || (recovery.probesWanted() > 0 && !trains.hasElicitingPackets())) {
        control.wantProbe();
      }
      tools.controls().send(this, turnNs);
      if (size.isProbeDue(frames)) {
        tools.controls().sendSizeProbe(this, turnNs);
      }
      setTimer();
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
  }

  private void setTimer() {
    long deadlineNs = Math.min(recovery.nextDeadlineNs(), received.ackDeadlineNs());
    deadlineNs = Math.min(deadlineNs, liveness.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, owner.nextDeadlineNs());
    if (deadlineNs == Long.MAX_VALUE) {
      worker.wheel().cancel(timer);
    } else if (deadlineNs != timer.deadlineNs()) {
      worker.wheel().schedule(timer, deadlineNs);
    }
  }

  void onAuthenticPacket(long packetNumber, long turnNs) {
    owner.onPacket(packetNumber);
    recovery.onAnyPacketReceived();
    liveness.onPacketReceived(turnNs);
    touch();
  }

  void onAck(AckDecoder ack, long packetNumber) {
    frames.onLimit(ack.inlineLimit(), packetNumber);
    if (recovery.onAck(ack, nowNs, items) == AckOutcome.VIOLATION) {
      throw new ProtocolViolationException("an acknowledgement of packets that were never sent");
    }
    trains.offer();
  }

  private void offer() {
    trains.offer();
  }

  void onPeerClosed(int reason, String text) {
    String cause =
        peer + (reason == CloseReason.SHUTDOWN.value() ? " shut down" : " gave up the path");
    if (!isOver()) {
      worker.endpoint().release(destination);
      owner.onEnd(CallOutcome.PEER_RESET, text.isEmpty() ? cause : text);
    }
  }

  @Override
  public void activate(int level) {
    trains.onWaiting(level);
    touch();
  }

  /** Bytes of a packet of bulk that tries out a size, or 0; rule M-5. */
  public int bulkProbeBytes() {
    return size.bulkProbeBytes(frames);
  }

  /** Whether the window lets a packet of chunks of this size go. */
  public boolean maySendChunks(int bytes) {
    return recovery.canSend(bytes) && recovery.canOpenPacket(PacketHeader.MAX_CHUNKS);
  }

  boolean maySend(int bytes) {
    return recovery.canSend(bytes) && recovery.canOpenPacket(1);
  }

  /** A packet of so many bytes was sealed under the last number. */
  public void onPacketSealed(int bytes, boolean ackEliciting, boolean logged, long turnNs) {
    if (logged) {
      recovery.onPacketSent(bytes, ackEliciting, turnNs);
    } else {
      recovery.onUnloggedPacketSent(keys.nextPacketNumber() - 1, turnNs);
    }
    if (keys.hasRotated()) {
      worker.events().onKeyRotated(worker.worker(), peer, keys.sealingKeyId());
    }
    if (ackEliciting) {
      liveness.onAckElicitingSent();
      touch();
    }
  }

  /** Posts the packet that was built last, which waits for no rate. */
  void postUrgent(SendBuffer buffer, int length) {
    trains.onUrgent(length, nowNs);
    worker.endpoint().postSend(destination, buffer, length, length, 0);
  }

  private void onViolation(ProtocolViolationException violation) {
    worker.counters().protocolViolations++;
    String what = String.valueOf(violation.getMessage());
    worker.events().onProtocolViolation(worker.worker(), peer, what);
    close(
        CloseReason.PROTOCOL_VIOLATION,
        CallOutcome.PEER_RESET,
        "the peer broke the protocol: " + what);
  }

  @Override
  public void onFault(Throwable fault) {
    if (!isOver()) {
      faulted = true;
      worker.counters().peerFaults++;
      try {
        worker.events().onPeerFault(worker.worker(), peer, fault);
      } finally {
        owner.onFault(fault);
      }
    }
  }

  @Override
  public void close(CloseReason reason, CallOutcome outcome, String text) {
    if (!ended) {
      // A message of the peer's actor may come long after the path's last turn.
      EventLoop loop = EventLoop.currentOrNull();
      if (loop != null) {
        onTurn(loop.nowNs());
      }
      tools.farewells().add(this, keys, reason);
      owner.onEnd(outcome, text);
    }
  }

  /** The path has ended: it is told nothing any more. */
  public void markEnded() {
    ended = true;
  }

  /** Gives back what it holds of the worker and the node. */
  public void release() {
    worker.scheduler().remove(place);
    worker.wheel().cancel(timer);
    trains.close();
    worker.budget().giveBack(terms.receiveWindowBytes());
    credit.close(nowNs);
    keys.close();
  }
}
