package io.millrace.path.packet;

import io.millrace.access.admission.PathAccess;
import io.millrace.crypto.DataKeyNames;
import io.millrace.crypto.HandshakeOutcome.ProvedIdentity;
import io.millrace.driver.HoldCause;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.Rail;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.RecoverySink;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.Timer;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CloseReason;
import java.util.List;

/**
 * The packets of one path: on each occasion from the worker, runs the {@link PathParts} in their
 * order, and sets the time of the next occasion. The {@link FrameReceiver} takes the frames in the
 * packets; the {@link PathOwner} hears of the state and the end of the path. An exception in the
 * handling of the path is caught in one place, {@link #handle}, and told to the owner. On the
 * worker's thread; does not allocate in the steady state.
 */
public final class PathPackets
    implements PathContext, TouchedPaths.Member, WorkerSchedule.Sender, PathParts.Listener {
  private static final long IDLE_NS = 1_000_000_000L;

  /** The number of a packet whose number this side does not know. */
  private static final long UNQUOTED = -1;

  private static final List<HoldCause> CAUSES = List.of(HoldCause.values());

  private static final SegmentBuffer NO_BYTES = new SegmentBuffer(new byte[0]);

  /** An occasion for handling the path. */
  private enum Occasion {
    DATAGRAM,
    DEADLINE,
    RATE,
    TURN_OF_LEVEL,
    REFUSAL,
    UNREACHABLE,
    UNKNOWN,
    ASK_FAILED,
    NICS,
    HELD,
    LET_GO,
    LOCAL_MTU,
    ROOM,
    END_OF_TURN
  }

  private final WorkerContext worker;
  private final WorkerPackets tools;
  private final PathOwner owner;
  private final String peer;
  private final PathTerms terms;
  private final PathAccess access;
  private final int destination;
  private final PathParts parts;
  private final PathRenewal renewal;
  private final Schedulable<WorkerSchedule.Sender> place = new Schedulable<>(this);
  private final Timer timer = new Timer(this, 0);
  private Phase phase = Phase.OPEN;
  private long nowNs;
  private long busyNs;

  /** The path's part of the worker's load, as last counted. */
  private long loadBytes;

  private boolean touched;

  /** The family of the rail in use. */
  private String family;

  /** Faulted: handling the path threw, and the owner closes the path next. */
  private enum Phase {
    OPEN,
    FAULTED,
    ENDED
  }

  /**
   * Makes the packets of a path from the terms of its handshake.
   *
   * @param rooms takes the frames of the path's packets
   * @param health the health of the peer, to which all paths of the peer add
   * @param destination the peer's worker, under the number of the endpoint
   */
  public PathPackets(
      WorkerContext worker,
      WorkerPackets tools,
      PathOwner owner,
      FrameReceiver rooms,
      SharedPeerHealth health,
      PathTerms terms,
      int destination) {
    this.worker = worker;
    this.tools = tools;
    this.owner = owner;
    peer = health.peer();
    this.terms = terms;
    this.destination = destination;
    access = new PathAccess(worker.terms().access(), peer, terms.handshake().peer());
    family = terms.rails().rails().get(worker.network().rail(destination)).address().family();
    parts = new PathParts(this, place, owner, rooms, health, terms, tools.train());
    renewal = new PathRenewal(parts, tools.controls(), owner);
  }

  /** Sets the source of bulk, and the frames for the head of packets, in this order. */
  public void carry(BulkSource bulk, BulkSource.Demand demand, HeadSource... heads) {
    parts.trains().carry(bulk, demand);
    parts.carry(heads);
  }

  /** These frames go at the head of packets, too, behind the frames of the other heads. */
  public void carryAlso(HeadSource head) {
    parts.carry(head);
  }

  /** Hears of the items of this path as loss recovery does. */
  public RecoverySink items() {
    return parts.items();
  }

  /** Sets {@code itemOwner} to hear of the acknowledged and lost items of this kind. */
  public void own(int kind, ItemOwner itemOwner) {
    parts.items().own(kind, itemOwner);
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

  /** The terms settled by the handshake. */
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
    return parts.recovery();
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
    return phase == Phase.ENDED;
  }

  @Override
  public boolean isOver() {
    return phase != Phase.OPEN;
  }

  /** Whether no transfer has been open for a while. */
  public boolean isIdle() {
    return nowNs - busyNs >= IDLE_NS;
  }

  /** The keys and packet numbers of the path. */
  public PathKeys keys() {
    return parts.keys();
  }

  /** The change of the path to new secrets. */
  public PathRenewal renewal() {
    return renewal;
  }

  @Override
  public PathRetirements retirements() {
    return parts.retirements();
  }

  /** The sizes of the path's datagrams. */
  public PathSize size() {
    return parts.size();
  }

  /** The frames waiting, and the credit for these frames. */
  public PathFrames frames() {
    return parts.frames();
  }

  /** The bytes that the peer may send unasked. */
  public InlineCredit credit() {
    return parts.credit();
  }

  /** The parts of the path. */
  public PathParts parts() {
    return parts;
  }

  /** The rails to the peer. */
  public RailControl rails() {
    return parts.rails();
  }

  /** Begins the handling of the path in this turn: credit granted long ago is not used any more. */
  public void onTurn(long turnNs) {
    nowNs = turnNs;
    parts.frames().onTime(turnNs);
  }

  private boolean handle(Occasion occasion, long turnNs) {
    return handle(occasion, NO_BYTES, 0, 0, 0, turnNs);
  }

  /**
   * Handles the path, unless the path is over. An exception in the handling ends here.
   *
   * @param bytes the datagram, or the packet quoted by a refusal
   * @param argument the ECN bits of a datagram, the level in turn, the number of a hold's cause, or
   *     the bytes of the largest datagram
   * @return whether the path posted a train or a write
   */
  private boolean handle(
      Occasion occasion, SegmentBuffer bytes, int offset, int length, int argument, long turnNs) {
    if (isOver()) {
      return false;
    }
    try {
      onTurn(turnNs);
      switch (occasion) {
        case DATAGRAM -> tools.reader().read(parts, bytes, offset, length, argument, turnNs);
        case DEADLINE -> handleDeadline(turnNs);
        case RATE -> parts.trains().offer();
        case TURN_OF_LEVEL -> {
          return parts.trains().send(argument, turnNs);
        }
        case REFUSAL -> handleRefusal(bytes, offset, length, turnNs);
        case UNREACHABLE -> doubt(parts.recovery().packetsInFlight() > 0, turnNs);
        case UNKNOWN -> handleUnknown(bytes, offset, turnNs);
        case ASK_FAILED -> parts.liveness().onAskFailed(turnNs);
        case NICS -> parts.rails().watch(turnNs);
        case HELD -> parts.trains().onHeld(CAUSES.get(argument));
        case LET_GO -> handleLetGo();
        case LOCAL_MTU -> parts.size().onLocalLimit(argument);
        case ROOM -> owner.makeRoom();
        case END_OF_TURN -> handleEndOfTurn(turnNs);
      }
    } catch (ProtocolViolationException e) {
      onViolation(occasion, e);
    } catch (RuntimeException | Error e) {
      onFault(e);
    }
    return false;
  }

  /** A datagram came with this path in its header. */
  public void onDatagram(SegmentBuffer buffer, int offset, int length, int ecn, long turnNs) {
    handle(Occasion.DATAGRAM, buffer, offset, length, ecn, turnNs);
  }

  /**
   * Somebody says that the peer has lost the secret of a path's id, in answer to a packet of the
   * path; rule U-3.
   *
   * @return false if no such packet is in flight: then the message answers no packet, or is a
   *     replay
   */
  public boolean onUnknown(SegmentBuffer message, int offset, long turnNs) {
    if (!parts.recovery().isInFlight(PacketHeader.packetNumber(message, offset))) {
      worker.counters().unknownSecretsForged++;
      return false;
    }
    handle(Occasion.UNKNOWN, message, offset, PacketHeader.UNKNOWN_LENGTH, 0, turnNs);
    return true;
  }

  private void handleUnknown(SegmentBuffer message, int offset, long turnNs) {
    long wireId = PacketHeader.pathId(message, offset);
    long packetNumber = PacketHeader.packetNumber(message, offset);
    long proof = PacketHeader.unknownProof(message, offset);
    if (!parts.keys().isProof(wireId, packetNumber, proof)) {
      renewal.onHint(turnNs);
    } else if (mayAsk(turnNs)) {
      owner.onDoubt(wireId);
    }
  }

  private boolean mayAsk(long turnNs) {
    return !isOver() && renewal.mayAsk(turnNs);
  }

  /** The deadline of the path's machines has come, or the time of the path's next train. */
  @Override
  public void onTimer(Timer fired, long firedNs) {
    handle(fired == timer ? Occasion.DEADLINE : Occasion.RATE, firedNs);
  }

  private void handleDeadline(long turnNs) {
    touch();
    if (parts.recovery().nextDeadlineNs() <= turnNs) {
      parts.recovery().onDeadline(turnNs, parts.items());
      parts.rails().onRecoveryDeadline(turnNs);
      parts.trains().offer();
    }
    parts.rails().onDeadline(turnNs);
    parts.liveness().onDeadline(turnNs);
    parts.trains().demand().onTimer(turnNs);
    if (!isOver()) {
      renewal.onDeadline(turnNs);
      parts.size().onDeadline(turnNs);
    }
  }

  @Override
  public boolean transmit(int level, long turnNs) {
    if (!parts.trains().acquire()) {
      return false;
    }
    boolean isSent = handle(Occasion.TURN_OF_LEVEL, NO_BYTES, 0, 0, level, turnNs);
    if (!isSent) {
      parts.trains().giveBack();
    }
    if (!isOver()) {
      parts.trains().onTurn(level, isSent);
    }
    return isSent;
  }

  @Override
  public boolean isStalled() {
    return parts.trains().isStalled();
  }

  /**
   * An ICMP error named the peer's address. Anyone can send an ICMP error, so the path asks the
   * peer, and only with packets in flight; rule L-7. A fabric's own word is no such error: the path
   * goes on by another rail if it can; rule N-6.
   */
  public void onUnreachable(long turnNs) {
    if (parts.rails().rail().isOneSided()) {
      handle(Occasion.REFUSAL, NO_BYTES, 0, 0, 0, turnNs);
    } else if (usesIcmp()) {
      handle(Occasion.UNREACHABLE, turnNs);
    }
  }

  /**
   * The network says that nobody takes packets at the peer's address by the rail in use; rules L-7
   * and N-6. The path goes on by another rail; without one, the peer may be gone.
   *
   * @param quoted the beginning of the refused packet, as far as the network quotes the packet
   */
  public void onRefused(SegmentBuffer quoted, int offset, int length, long turnNs) {
    if (usesIcmp()) {
      handle(Occasion.REFUSAL, quoted, offset, length, 0, turnNs);
    }
  }

  private void handleRefusal(SegmentBuffer quoted, int offset, int length, long turnNs) {
    boolean isQuoted = length >= PacketHeader.LENGTH;
    long number = isQuoted ? parts.keys().numberOf(quoted, offset) : UNQUOTED;
    boolean isInFlight =
        isQuoted ? parts.recovery().isInFlight(number) : parts.recovery().packetsInFlight() > 0;
    // A shorter quote says too little to leave a rail, or to give a peer up.
    boolean isCertain = isInFlight && isQuoted;
    boolean condemnsRail = isCertain || parts.rails().rail().isOneSided();
    if (condemnsRail && parts.rails().onRefused(turnNs)) {
      worker.events().onPeerUnreachable(worker.worker(), peer, true);
      return;
    }
    doubt(isInFlight, turnNs);
    if (isCertain) {
      parts.liveness().onRefused(number, turnNs);
    }
  }

  /** The peer was asked whether it knows the path, and did not answer. May end the path. */
  public void onAskFailed(long turnNs) {
    handle(Occasion.ASK_FAILED, turnNs);
  }

  private boolean usesIcmp() {
    return worker.settings().recovery().health().usesIcmp();
  }

  private void doubt(boolean isBelieved, long turnNs) {
    worker.events().onPeerUnreachable(worker.worker(), peer, isBelieved);
    if (isBelieved && mayAsk(turnNs)) {
      owner.onDoubt(parts.keys().wireId());
    }
  }

  /** A NIC of this worker went down or came up. */
  public void onNics(long turnNs) {
    handle(Occasion.NICS, turnNs);
  }

  /** The driver keeps posts to the peer for later. */
  public void onHeld(HoldCause cause, long turnNs) {
    handle(Occasion.HELD, NO_BYTES, 0, 0, CAUSES.indexOf(cause), turnNs);
  }

  /** The driver posts to the peer again, or has given up its posts. */
  public void onLetGo(long turnNs) {
    handle(Occasion.LET_GO, turnNs);
  }

  private void handleLetGo() {
    parts.trains().onLetGo();
    parts.trains().offer();
  }

  /** The operating system refuses datagrams to the peer above this size. */
  public void onLocalMtu(int maxDatagramBytes, long turnNs) {
    handle(Occasion.LOCAL_MTU, NO_BYTES, 0, 0, maxDatagramBytes, turnNs);
  }

  @Override
  public void touch() {
    worker.schedule().touched().add(this);
  }

  @Override
  public boolean startTouch() {
    boolean first = !touched;
    touched = true;
    return first;
  }

  @Override
  public void makeRoom() {
    handle(Occasion.ROOM, turnNs());
  }

  /** The last look of a turn: sends the frames due now, and sets the time of the next wake-up. */
  @Override
  public void endTurn(long turnNs) {
    touched = false;
    handle(Occasion.END_OF_TURN, turnNs);
  }

  private void handleEndOfTurn(long turnNs) {
    PathRecovery recovery = parts.recovery();
    RailControl rails = parts.rails();
    PathFrames frames = parts.frames();
    frames.settle();
    parts.trains().demand().endTurn(turnNs);
    owner.endTurn();
    renewal.endTurn(turnNs);
    boolean isRestful = owner.isRestful();
    if (!isRestful) {
      busyNs = turnNs;
    }
    boolean silent = parts.liveness().onTurnEnd(isRestful, turnNs);
    boolean hasOthers = parts.trains().hasElicitingPackets() && rails.mayCarry();
    if (silent || rails.pollProof(turnNs) || (recovery.probesWanted() > 0 && !hasOthers)) {
      parts.control().wantProbe();
    }
    tools.controls().send(parts, turnNs);
    if (rails.mayCarry() && parts.size().isProbeDue(frames)) {
      tools.controls().sendSizeProbe(parts, turnNs);
    }
    tryRail(turnNs);
    parts.retirements().endTurn(turnNs, this);
    tools.controls().sendRetirements(parts, turnNs);
    setTimer();
    if (!isOver()) {
      countLoad(
          frames.queuedBytes() + parts.trains().demand().queuedBytes() + recovery.bytesInFlight());
    }
  }

  /** Sends a packet by a rail due for a trial after a failure. */
  private void tryRail(long turnNs) {
    int rail = parts.rails().pollTry();
    if (rail < 0) {
      return;
    }
    int used = worker.network().rail(destination);
    boolean isSent = false;
    if (parts.recovery().canOpenPacket(1) && worker.network().use(destination, rail)) {
      try {
        isSent = tools.controls().sendRailTry(parts, rail, turnNs);
      } finally {
        worker.network().use(destination, used);
      }
    }
    if (!isSent) {
      parts.rails().onTryUnsent(turnNs);
    }
  }

  private void countLoad(long bytes) {
    worker.counters().addLoad(bytes - loadBytes);
    loadBytes = bytes;
  }

  private void setTimer() {
    long deadlineNs = Math.min(parts.recovery().nextDeadlineNs(), parts.received().ackDeadlineNs());
    deadlineNs = Math.min(deadlineNs, parts.liveness().nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, parts.trains().demand().nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, renewal.nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, parts.rails().nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, parts.size().nextDeadlineNs());
    deadlineNs = Math.min(deadlineNs, parts.retirements().nextDeadlineNs(parts.recovery()));
    if (deadlineNs == Long.MAX_VALUE) {
      worker.time().wheel().cancel(timer);
    } else if (deadlineNs != timer.deadlineNs()) {
      worker.time().wheel().schedule(timer, deadlineNs);
    }
  }

  @Override
  public void onAuthenticPacket(long packetNumber, long turnNs) {
    parts.rooms().onPacket(packetNumber);
    parts.retirements().onOpened(parts.keys().newestOpenedKeyId(), turnNs);
    parts.recovery().onAnyPacketReceived();
    parts.liveness().onPacketReceived(turnNs);
    renewal.onPacketReceived();
    touch();
  }

  @Override
  public boolean onControlKeysRetired(int keyId) {
    return parts.keys().retire(keyId);
  }

  @Override
  public void onDataKeyRetired(DataKeyNames.Name name) {
    worker.bodies().retire(name);
  }

  @Override
  public void onPeerClosed(int reason, String text) {
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
  public void resume(int level) {
    parts.trains().resume(level);
  }

  /**
   * The path goes by another rail from now on; rule N-9.
   *
   * @param rail the rail in use
   * @param mostBytes the largest datagram sent by the system by this rail
   */
  public void onRail(Rail rail, int mostBytes) {
    String next = rail.address().family();
    if (terms.hasPieces() && !next.equals(family)) {
      parts.size().onFamily(mostBytes);
    } else {
      parts.size().onRail(mostBytes);
    }
    family = next;
    parts.trains().onRail();
  }

  @Override
  public void activate(int level) {
    parts.trains().onWaiting(level);
    touch();
  }

  /** Only a datagram of the peer can break the protocol. */
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
      phase = Phase.FAULTED;
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
    if (!isEnded()) {
      // A message of the peer's actor may come long after the path's last turn.
      onTurn(turnNs());
      tools.closes().add(this, parts.keys(), reason);
      owner.onEnd(outcome, text);
    }
  }

  /** The path has ended, and hears of nothing more. */
  public void markEnded() {
    phase = Phase.ENDED;
  }

  /** Gives back the path's resources of the worker and the node. */
  public void release() {
    countLoad(0);
    worker.time().wheel().cancel(timer);
    parts.close();
  }
}
