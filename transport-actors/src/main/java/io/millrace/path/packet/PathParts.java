package io.millrace.path.packet;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.health.SharedPeerHealth;
import io.millrace.protocol.recovery.AckOutcome;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.schedule.Schedulable;
import io.millrace.protocol.schedule.TimerHandler;
import io.millrace.transfer.CongestionState;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import java.util.Arrays;

/**
 * The parts of the packets of one path: keys, sizes, the frames waiting, and the received and sent
 * packets with their outcomes. Read by the builders and the readers of packets. On the worker's
 * thread; does not allocate in the steady state.
 */
public final class PathParts {
  private static final HeadSource[] NO_HEADS = {};

  private final Listener path;
  private final PathTerms terms;
  private final FrameReceiver rooms;
  private final PathKeys keys;
  private final PathSize size;
  private final ReceivedPackets received;
  private final PathRecovery recovery;
  private final RailControl rails;
  private final PathLiveness liveness;
  private final InlineCredit credit;
  private final PathFrames frames;
  private final PathControl control;
  private final PathTrains trains;
  private final PathItems items;
  private PathRetirements retirements;
  private CongestionState congestionState;
  private HeadSource[] heads = NO_HEADS;

  /** The path itself, which acts on the contents of the packets. */
  interface Listener extends PathContext, PathRetirements.Receiver, TimerHandler {
    /** An authentic packet came; the frames of the packet follow. */
    void onAuthenticPacket(long packetNumber, long nowNs);

    /** The peer has ended the path. */
    void onPeerClosed(int reason, String text);
  }

  /** Makes the parts of a path from the terms of its handshake. */
  PathParts(
      Listener path,
      Schedulable<WorkerSchedule.Sender> place,
      PathOwner owner,
      FrameReceiver rooms,
      SharedPeerHealth health,
      PathTerms terms,
      TrainBuilder train) {
    this.path = path;
    this.rooms = rooms;
    this.terms = terms;
    WorkerContext worker = path.worker();
    PathMachines machines = new PathMachines(worker.settings(), terms);
    keys = machines.keys(worker.terms().aead(), worker.counters());
    received = machines.received();
    recovery = machines.recovery();
    congestionState = recovery.congestionState();
    retirements = newRetirements();
    int localBytes = worker.network().pathMaxDatagramBytes(path.destination());
    size = new PathSize(path, mostBytes(terms), localBytes, () -> trains().offer());
    rails = new RailControl(path, owner, terms, machines);
    liveness = new PathLiveness(path, owner, rails, health, machines.liveness());
    credit = new InlineCredit(path, terms);
    frames = new PathFrames(path, terms, size);
    control = new PathControl(path, keys, received, credit, frames);
    trains = new PathTrains(this, train, place, path);
    items = new PathItems(path, size, received, credit);
    items.own(PacketItems.RARE, frames.rareItems());
    items.own(PacketItems.RAIL, rails);
  }

  /** A peer that reads no pieces gets no frame that does not fit each rail. Rule N-9. */
  private static int mostBytes(PathTerms terms) {
    return terms.hasPieces()
        ? terms.maxDatagramBytes()
        : Math.min(terms.maxDatagramBytes(), terms.rails().mostBytesWithoutPieces());
  }

  private PathRetirements newRetirements() {
    WorkerContext worker = path.worker();
    return new PathRetirements(
        keys.ofRetirements(), worker.terms().aead(), worker.settings().crypto(), worker.counters());
  }

  /** These frames go at the head of packets, in this order, behind the frames of earlier calls. */
  void carry(HeadSource... more) {
    int before = heads.length;
    heads = Arrays.copyOf(heads, before + more.length);
    System.arraycopy(more, 0, heads, before, more.length);
  }

  /** Sets the way of small packets. */
  public void small(SmallPackets way) {
    trains.small(way);
    items.small(way);
  }

  /** The path of these parts. */
  PathContext context() {
    return path;
  }

  /** The terms settled by the handshake. */
  PathTerms terms() {
    return terms;
  }

  /** The receiver of the path's frames. */
  FrameReceiver rooms() {
    return rooms;
  }

  Listener listener() {
    return path;
  }

  /** The keys and packet numbers of the path. */
  public PathKeys keys() {
    return keys;
  }

  /** The sizes of the path's datagrams. */
  public PathSize size() {
    return size;
  }

  ReceivedPackets received() {
    return received;
  }

  /** Loss recovery of the path: acknowledgements, losses, and the round trip. */
  public PathRecovery recovery() {
    return recovery;
  }

  /** The retirements of the path's keys, both ways. */
  PathRetirements retirements() {
    return retirements;
  }

  RailControl rails() {
    return rails;
  }

  PathLiveness liveness() {
    return liveness;
  }

  InlineCredit credit() {
    return credit;
  }

  PathFrames frames() {
    return frames;
  }

  PathControl control() {
    return control;
  }

  /** The content of the path's next train, and the time of the train. */
  public PathTrains trains() {
    return trains;
  }

  PathItems items() {
    return items;
  }

  boolean isControlDue() {
    boolean isDue = control.isDue() || rails.isDue();
    for (HeadSource head : heads) {
      isDue |= head.isDue();
    }
    return isDue;
  }

  int encodeHeads(SegmentBuffer out, int position, int end, PacketLog log) {
    int at = rails.isDue() ? rails.encode(out, position, end, log) : position;
    for (HeadSource head : heads) {
      if (head.isDue()) {
        at = head.encode(out, at, end, log);
      }
    }
    return at;
  }

  /** Returns the bytes of a packet of bulk that tries out a size, or 0; rule M-5. */
  public int bulkProbeBytes() {
    return size.bulkProbeBytes(frames);
  }

  /** Whether the congestion window allows a packet of chunks of this size. */
  public boolean maySendChunks(int bytes) {
    return recovery.canSend(bytes) && recovery.canOpenPacket(PacketHeader.MAX_CHUNKS);
  }

  boolean maySend(int bytes) {
    return recovery.canSend(bytes) && recovery.canOpenPacket(1);
  }

  /** A packet of this size was sealed under the last number. */
  public void onPacketSealed(int bytes, boolean ackEliciting, boolean logged, long nowNs) {
    WorkerContext worker = path.worker();
    long packetNumber = keys.nextPacketNumber() - 1;
    size.onPacketSent(bytes);
    worker.counters().packetsSent++;
    worker.counters().data().packetSent(path.pathId(), packetNumber, bytes);
    if (logged) {
      recovery.onPacketSent(bytes, ackEliciting, nowNs);
    } else {
      recovery.onUnloggedPacketSent(packetNumber, nowNs);
    }
    if (keys.hasRotated()) {
      retirements.onRotated(keys.sealingKeyId(), packetNumber, nowNs);
      worker.events().onKeyRotated(worker.worker(), path.peer(), keys.sealingKeyId());
    }
    if (ackEliciting) {
      liveness.onAckElicitingSent();
      path.touch();
    }
  }

  /**
   * Packets are sealed under another secret from now on: retirements and the token, too, belong to
   * the new secret.
   */
  void onSecretChanged() {
    retirements.close();
    retirements = newRetirements();
    control.onSecretChanged();
  }

  void onAck(AckDecoder ack, long packetNumber) {
    frames.onLimit(ack.inlineLimit(), packetNumber);
    if (recovery.onAck(ack, path.nowNs(), items) == AckOutcome.VIOLATION) {
      throw new ProtocolViolationException("an acknowledgement of packets never sent");
    }
    CongestionState state = recovery.congestionState();
    if (state != congestionState) {
      path.worker().counters().data().congestionChanged(path.pathId(), congestionState, state);
      congestionState = state;
    }
    trains.offer();
  }

  void onProbeAnswer(long probeId, long echoedNs) {
    if (control.onResponse(probeId, echoedNs)) {
      rails.onProved(control.railOf(probeId));
      liveness.onProbeAnswered(path.nowNs());
      trains.offer();
    }
  }

  /** The path is over. */
  void close() {
    trains.close();
    path.worker().terms().budget().giveBack(terms.receiveWindowBytes());
    credit.close(path.nowNs());
    retirements.close();
    keys.close();
  }
}
