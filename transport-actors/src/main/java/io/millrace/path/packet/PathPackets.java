package io.millrace.path.packet;

import io.millrace.access.admission.PathAccess;
import io.millrace.crypto.DataKeyNames;
import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import io.millrace.driver.SendBuffer;
import io.millrace.protocol.recovery.AckOutcome;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Timer;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.CongestionState;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.CloseReason;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The packets of one path under one path secret: how they are sealed, acknowledged, recovered,
 * sized and paced, when the path wants a turn, and whether its peer is there. What is in them is
 * the {@link PathOwner}'s. Whatever is thrown while the path is handled is caught in one place,
 * {@link #handle}, and told to the owner. On the worker's thread; does not allocate in the steady
 * state.
 */
public final class PathPackets
    implements PathContext,
        TimerHandler,
        TouchedPaths.Member,
        WorkerContext.Sender,
        PathRetirements.Receiver {
  private static final long IDLE_NS = 1_000_000_000L;

  /** The number of a packet that is not known. */
  private static final long UNQUOTED = -1;

  private static final UnsafeBuffer NO_BYTES = new UnsafeBuffer(new byte[0]);

  /** An occasion on which the path is handled. */
  private enum Occasion {
    DATAGRAM,
    DEADLINE,
    RATE,
    TURN_OF_LEVEL,
    REFUSAL,
    ASK_FAILED,
    NICS,
    END_OF_TURN
  }

  private final WorkerContext worker;
  private final WorkerPackets tools;
  private final PathOwner owner;
  private final String peer;
  private final PathTerms terms;
  private final PathAccess access;
  private final int destination;
  private final PathKeys keys;
  private final PathSize size;
  private final ReceivedPackets received;
  private CongestionState congestionState;
  private final PathRecovery recovery;
  private final PathLiveness liveness;
  private final InlineCredit credit;
  private final PathFrames frames;
  private final PathControl control;
  private final PathTrains trains;
  private final PathItems items;
  private final PathRenewal renewal;
  private final RailControl rails;
  private PathRetirements retirements;
  private final Schedulable<WorkerContext.Sender> place = new Schedulable<>(this);
  private final Timer timer = new Timer(this, 0);
  private HeadSource[] heads = {};
  private long nowNs;
  private long busyNs;

  /** Its part of the worker's load, as last counted. */
  private long loadBytes;

  private boolean touched;
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
    access = new PathAccess(worker.access(), peer, terms.handshake().peer());
    this.destination = destination;
    PathMachines machines = new PathMachines(worker.settings(), terms);
    keys = machines.keys(worker.aead());
    received = machines.received();
    recovery = machines.recovery();
    congestionState = recovery.congestionState();
    retirements = newRetirements();
    int localBytes = worker.network().pathMaxDatagramBytes(destination);
    int mostBytes = Math.min(terms.maxDatagramBytes(), terms.rails().mostBytes());
    size = new PathSize(this, mostBytes, localBytes, this::offer);
    liveness = new PathLiveness(this, owner, machines.liveness());
    credit = new InlineCredit(this, terms);
    frames = new PathFrames(this, terms, size);
    control = new PathControl(this, received, credit);
    trains = new PathTrains(this, tools.train(), place);
    items = new PathItems(this, size, received, credit);
    items.own(PacketItems.RARE, frames.rareItems());
    renewal = new PathRenewal(this, keys, owner);
    rails = new RailControl(this, owner, terms, machines);
    items.own(PacketItems.RAIL, rails);
  }

  /** Bulk comes from here, and these frames go at the head of packets, in this order. */
  public void carry(BulkSource bulk, HeadSource... heads) {
    trains.carry(bulk);
    this.heads = heads.clone();
  }

  /** These frames go at the head of packets, too, behind the others. */
  public void carryAlso(HeadSource head) {
    heads = Arrays.copyOf(heads, heads.length + 1);
    heads[heads.length - 1] = head;
  }

  /** What becomes of items of this kind is told to {@code itemOwner}. */
  public void own(int kind, ItemOwner itemOwner) {
    items.own(kind, itemOwner);
  }

  @Override
  public String peer() {
    return peer;
  }

  @Override
  public ProvedIdentity identity() {
    return terms.identity();
  }

  @Override
  public PathAccess access() {
    return access;
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

  /** The time of the worker's turn, in which this path may not have been handled yet. */
  public long turnNs() {
    return worker.time().turnNs();
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  @Override
  public boolean isOver() {
    return ended || faulted;
  }

  /** Whether no transfer has been open for a while. */
  public boolean isIdle() {
    return nowNs - busyNs >= IDLE_NS;
  }

  /** Its keys and packet numbers. */
  public PathKeys keys() {
    return keys;
  }

  /** How it comes to new secrets. */
  public PathRenewal renewal() {
    return renewal;
  }

  /** Packets are sealed under another secret from now on: what is told of keys, too. */
  void onSecretChanged() {
    retirements.close();
    retirements = newRetirements();
  }

  private PathRetirements newRetirements() {
    return new PathRetirements(
        keys.ofRetirements(), worker.aead(), worker.settings().crypto(), worker.counters());
  }

  @Override
  public PathRetirements retirements() {
    return retirements;
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

  /** The ways to the peer. */
  public RailControl rails() {
    return rails;
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

  ControlPackets controls() {
    return tools.controls();
  }

  boolean isControlDue() {
    boolean isDue = control.isDue() || rails.isDue();
    for (HeadSource head : heads) {
      isDue |= head.isDue();
    }
    return isDue;
  }

  int encodeHeads(UnsafeBuffer out, int position, int end, PacketLog log) {
    int at = rails.isDue() ? rails.encode(out, position, end, log) : position;
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

  private boolean handle(Occasion occasion, long turnNs) {
    return handle(occasion, NO_BYTES, 0, 0, 0, turnNs);
  }

  /**
   * Handles the path, unless it is over. Whatever that throws ends here.
   *
   * @param bytes the datagram, or what a refusal quotes
   * @param argument the ECN bits of a datagram, or the level whose turn it is
   * @return whether a train or a write was posted
   */
  private boolean handle(
      Occasion occasion, UnsafeBuffer bytes, int offset, int length, int argument, long turnNs) {
    if (isOver()) {
      return false;
    }
    try {
      onTurn(turnNs);
      switch (occasion) {
        case DATAGRAM -> tools.reader().read(this, bytes, offset, length, argument, turnNs);
        case DEADLINE -> handleDeadline(turnNs);
        case RATE -> trains.offer();
        case TURN_OF_LEVEL -> {
          return trains.send(argument, turnNs);
        }
        case REFUSAL -> handleRefusal(bytes, offset, length, turnNs);
        case ASK_FAILED -> liveness.onAskFailed(turnNs);
        case NICS -> rails.watch(turnNs);
        case END_OF_TURN -> handleEndOfTurn(turnNs);
      }
    } catch (ProtocolViolationException e) {
      onViolation(occasion, e);
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
    return false;
  }

  /** A datagram came whose header names this path. */
  public void onDatagram(UnsafeBuffer buffer, int offset, int length, int ecn, long turnNs) {
    handle(Occasion.DATAGRAM, buffer, offset, length, ecn, turnNs);
  }

  /** Whether the peer has told the key of its proof that it has lost the secret of this id. */
  public boolean hasToken(long wireId) {
    return keys.hasToken(wireId);
  }

  /**
   * Somebody says that the peer has lost the secret of this id, in answer to a packet of this
   * number; rule U-3.
   *
   * @return false if that packet is not in flight: then it was an answer to no packet, or is
   *     replayed
   */
  public boolean onUnknown(long wireId, long packetNumber, long proof, long turnNs) {
    if (!recovery.isInFlight(packetNumber)) {
      worker.counters().unknownSecretsForged++;
      return false;
    }
    onTurn(turnNs);
    if (!keys.isProof(wireId, packetNumber, proof)) {
      renewal.onHint(turnNs);
    } else if (mayAsk(turnNs)) {
      owner.onDoubt(wireId);
    }
    return true;
  }

  private boolean mayAsk(long turnNs) {
    return !isOver() && renewal.mayAsk(turnNs);
  }

  /** The deadline of the path's machines has come, or the time of its next train. */
  @Override
  public void onTimer(Timer fired, long firedNs) {
    handle(fired == timer ? Occasion.DEADLINE : Occasion.RATE, firedNs);
  }

  private void handleDeadline(long turnNs) {
    touch();
    if (recovery.nextDeadlineNs() <= turnNs) {
      recovery.onDeadline(turnNs, items);
      rails.onRecoveryDeadline(turnNs);
      trains.offer();
    }
    rails.onDeadline(turnNs);
    liveness.onDeadline(turnNs);
    owner.onTimer(turnNs);
    if (!isOver()) {
      renewal.onDeadline(turnNs);
      size.onDeadline(turnNs);
    }
  }

  @Override
  public boolean transmit(int level, long turnNs) {
    if (!trains.acquire()) {
      return false;
    }
    boolean isSent = handle(Occasion.TURN_OF_LEVEL, NO_BYTES, 0, 0, level, turnNs);
    if (!isSent) {
      trains.giveBack();
    }
    if (!isOver()) {
      trains.onTurn(level, isSent);
    }
    return isSent;
  }

  @Override
  public boolean isStalled() {
    return trains.isStalled();
  }

  /**
   * An ICMP error named the peer's address. Anyone can send one, so the peer is asked, and only if
   * something is in flight; rule L-7.
   */
  public void onUnreachable(long turnNs) {
    if (usesIcmp()) {
      doubt(recovery.packetsInFlight() > 0, turnNs);
    }
  }

  /**
   * The network says that nobody takes packets at the peer's address; rule L-7.
   *
   * @param quoted the beginning of the packet that it is about, as far as it says
   */
  public void onRefused(UnsafeBuffer quoted, int offset, int length, long turnNs) {
    if (usesIcmp()) {
      handle(Occasion.REFUSAL, quoted, offset, length, 0, turnNs);
    }
  }

  private void handleRefusal(UnsafeBuffer quoted, int offset, int length, long turnNs) {
    boolean isQuoted = length >= PacketHeader.LENGTH;
    long number = isQuoted ? keys.numberOf(quoted, offset) : UNQUOTED;
    boolean isInFlight = isQuoted ? recovery.isInFlight(number) : recovery.packetsInFlight() > 0;
    doubt(isInFlight, turnNs);
    // One that quotes less says too little to give a peer up.
    if (isInFlight && isQuoted) {
      liveness.onRefused(number, turnNs);
    }
  }

  /** The peer was asked whether it knows the path, and nobody answered. May end the path. */
  public void onAskFailed(long turnNs) {
    handle(Occasion.ASK_FAILED, turnNs);
  }

  private boolean usesIcmp() {
    return worker.settings().recovery().health().usesIcmp();
  }

  private void doubt(boolean isBelieved, long turnNs) {
    worker.events().onPeerUnreachable(worker.worker(), peer, isBelieved);
    if (isBelieved && mayAsk(turnNs)) {
      owner.onDoubt(keys.wireId());
    }
  }

  /** A NIC of this worker went down or came up. */
  public void onNics(long turnNs) {
    handle(Occasion.NICS, turnNs);
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
    handle(Occasion.END_OF_TURN, turnNs);
  }

  private void handleEndOfTurn(long turnNs) {
    frames.settle();
    owner.endTurn(turnNs);
    renewal.endTurn(turnNs);
    boolean isRestful = owner.isRestful();
    if (!isRestful) {
      busyNs = turnNs;
    }
    boolean silent = liveness.onTurnEnd(isRestful, turnNs);
    boolean hasOthers = trains.hasElicitingPackets() && rails.mayCarry();
    if (silent || rails.pollProof(turnNs) || (recovery.probesWanted() > 0 && !hasOthers)) {
      control.wantProbe();
    }
    tools.controls().send(this, turnNs);
    if (rails.mayCarry() && size.isProbeDue(frames)) {
      tools.controls().sendSizeProbe(this, turnNs);
    }
    tryRail(turnNs);
    retirements.endTurn(turnNs, this);
    tools.controls().sendRetirements(this, turnNs);
    setTimer();
    if (!isOver()) {
      countLoad(frames.queuedBytes() + owner.queuedBytes() + recovery.bytesInFlight());
    }
  }

  /** Sends a packet by a rail that may work again. */
  private void tryRail(long turnNs) {
    int rail = rails.pollTry();
    if (rail < 0) {
      return;
    }
    int used = worker.network().rail(destination);
    boolean isSent = false;
    if (recovery.canOpenPacket(1) && worker.network().use(destination, rail)) {
      try {
        isSent = tools.controls().sendRailTry(this, rail, turnNs);
      } finally {
        worker.network().use(destination, used);
      }
    }
    if (!isSent) {
      rails.onTryUnsent(turnNs);
    }
  }

  private void countLoad(long bytes) {
    worker.counters().addLoad(bytes - loadBytes);
    loadBytes = bytes;
  }

  private void setTimer() {
    long deadlineNs = Math.min(recovery.nextDeadlineNs(), received.ackDeadlineNs());
    deadlineNs = Math.min(deadlineNs, liveness.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, owner.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, renewal.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, rails.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, size.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, retirements.nextDeadlineNs(recovery));
    if (deadlineNs == Long.MAX_VALUE) {
      worker.time().wheel().cancel(timer);
    } else if (deadlineNs != timer.deadlineNs()) {
      worker.time().wheel().schedule(timer, deadlineNs);
    }
  }

  void onAuthenticPacket(long packetNumber, long turnNs) {
    owner.onPacket(packetNumber);
    retirements.onOpened(keys.newestOpenedKeyId(), turnNs);
    recovery.onAnyPacketReceived();
    liveness.onPacketReceived(turnNs);
    renewal.onPacketReceived();
    touch();
  }

  void onProbeAnswer(long probeId, long echoedNs) {
    if (control.onResponse(probeId, echoedNs)) {
      rails.onProved(control.railOf(probeId));
      liveness.onProbeAnswered(nowNs);
      trains.offer();
    }
  }

  void onAck(AckDecoder ack, long packetNumber) {
    frames.onLimit(ack.inlineLimit(), packetNumber);
    if (recovery.onAck(ack, nowNs, items) == AckOutcome.VIOLATION) {
      throw new ProtocolViolationException("an acknowledgement of packets that were never sent");
    }
    CongestionState state = recovery.congestionState();
    if (state != congestionState) {
      worker.counters().data().congestionChanged(pathId(), congestionState, state);
      congestionState = state;
    }
    trains.offer();
  }

  private void offer() {
    trains.offer();
  }

  @Override
  public boolean onControlKeysRetired(int keyId) {
    return keys.retire(keyId);
  }

  @Override
  public void onDataKeyRetired(DataKeyNames.Name name) {
    worker.bodies().retire(name);
  }

  void onPeerClosed(int reason, String text) {
    String cause = peer + causeOf(reason);
    if (!isOver()) {
      worker.network().release(destination);
      owner.onEnd(CallOutcome.PEER_RESET, text.isEmpty() ? cause : text);
    }
  }

  private static String causeOf(int reason) {
    if (reason == CloseReason.SHUTDOWN.value()) {
      return " shut down";
    }
    if (reason == CloseReason.NO_ROOM.value()) {
      return " has as many peers as it allows";
    }
    return reason == CloseReason.YIELDED.value()
        ? " has as many peers as it allows, and gave this node's place to another one"
        : " gave up the path";
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
    size.onPacketSent(bytes);
    worker.counters().packetsSent++;
    worker.counters().data().packetSent(pathId(), keys.nextPacketNumber() - 1, bytes);
    if (logged) {
      recovery.onPacketSent(bytes, ackEliciting, turnNs);
    } else {
      recovery.onUnloggedPacketSent(keys.nextPacketNumber() - 1, turnNs);
    }
    if (keys.hasRotated()) {
      retirements.onRotated(keys.sealingKeyId(), keys.nextPacketNumber() - 1, turnNs);
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
    worker.network().postPacket(destination, buffer, length);
  }

  /** Only what a peer sent can break the protocol. */
  private void onViolation(Occasion occasion, ProtocolViolationException violation) {
    if (occasion != Occasion.DATAGRAM) {
      onFault(violation);
      return;
    }
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
      onTurn(turnNs());
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
    countLoad(0);
    worker.scheduler().remove(place);
    worker.time().wheel().cancel(timer);
    trains.close();
    worker.budget().giveBack(terms.receiveWindowBytes());
    credit.close(nowNs);
    retirements.close();
    keys.close();
  }
}
