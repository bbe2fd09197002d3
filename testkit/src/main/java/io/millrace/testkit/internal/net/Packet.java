package io.millrace.testkit.internal.net;

import io.millrace.memory.SegmentBuffer;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.VirtualTime;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * A datagram on its way, and the event of its next step. Pooled: the last owner recycles the
 * packet. No code touches a packet once its next step is scheduled, because the step may run at
 * once.
 */
final class Packet implements PacketView, Runnable {
  private static final int NOT_CAPABLE = 0;
  private static final int CONGESTION_EXPERIENCED = 3;

  private final NetworkCounters counters;
  private final SegmentBuffer view = new SegmentBuffer(0, 0);
  private byte[] array = new byte[0];
  private int length;
  private Way way;
  private int sourcePort;
  private int destinationPort;
  private int ecn;
  private long ordinal;
  private long sentNs;
  private Step step = Step.ARRIVE;
  private boolean duplicate;
  private boolean damaged;
  private List<FrameNote> notes = List.of();

  /** The next step of a datagram. */
  enum Step {
    /** The datagram is at the end of the link. */
    ARRIVE,
    /** The datagram leaves the queue of the receiver's interface. */
    LEAVE_QUEUE,
    /** The news of an absent receiver is back at the sender. */
    REPORT_UNREACHABLE,
    /** The news of a too large datagram is back at the sender. */
    REPORT_TOO_LARGE
  }

  /** The way of a datagram: its link. */
  interface Way {
    /** Its number. */
    long key();

    /** The time for scheduling steps. */
    VirtualTime time();

    /** The address of a port at the sender. */
    SimAddress source(int port);

    /** The address of a port at the receiver. */
    SimAddress destination(int port);

    /** The scheduled step of the datagram is due. */
    void onStep(Packet packet, Step step);

    /** Sends news about a lost datagram to its sender. */
    void report(Packet packet, Step news);
  }

  Packet(NetworkCounters counters, Way way) {
    this.counters = counters;
    this.way = way;
  }

  /** Prepares a pooled packet for a new datagram. */
  Packet use(Way newWay, int fromPort, int toPort) {
    way = newWay;
    sourcePort = fromPort;
    destinationPort = toPort;
    step = Step.ARRIVE;
    duplicate = false;
    damaged = false;
    notes = List.of();
    return this;
  }

  Packet fill(DirectBuffer buffer, int offset, int bytes, int ecnBits) {
    if (array.length < bytes) {
      array = new byte[Integer.highestOneBit(Math.max(bytes, 1) - 1 | 1) << 1];
    }
    buffer.getBytes(offset, array, 0, bytes);
    ecn = ecnBits;
    truncate(bytes);
    return this;
  }

  void notes(List<FrameNote> given) {
    notes = given;
  }

  /** Becomes the second copy of {@code original}. */
  Packet fillFrom(Packet original) {
    fill(original.view, 0, original.length, original.ecn);
    ordinal = original.ordinal;
    sentNs = original.sentNs;
    notes = original.notes;
    duplicate = true;
    return this;
  }

  void onSent(long linkOrdinal, long nowNs) {
    ordinal = linkOrdinal;
    sentNs = nowNs;
  }

  void truncate(int bytes) {
    length = bytes;
    view.wrap(array, 0, bytes);
  }

  void flip(long bit) {
    array[(int) (bit / Byte.SIZE)] ^= (byte) (1 << bit % Byte.SIZE);
  }

  void damage() {
    damaged = true;
    counters.damaged++;
  }

  /** Marks the datagram at a congested queue. */
  void mark() {
    if (ecn != NOT_CAPABLE && ecn != CONGESTION_EXPERIENCED) {
      ecn = CONGESTION_EXPERIENCED;
      counters.marked++;
    }
  }

  void schedule(Step next, long atNs) {
    step = next;
    way.time().at(atNs, this);
  }

  @Override
  public void run() {
    way.onStep(this, step);
  }

  Way way() {
    return way;
  }

  int sourcePort() {
    return sourcePort;
  }

  int destinationPort() {
    return destinationPort;
  }

  long flow() {
    return (long) sourcePort << Integer.SIZE | destinationPort;
  }

  @Override
  public SimAddress source() {
    return way.source(sourcePort);
  }

  @Override
  public SimAddress destination() {
    return way.destination(destinationPort);
  }

  @Override
  public long link() {
    return way.key();
  }

  @Override
  public long ordinal() {
    return ordinal;
  }

  @Override
  public long sentNs() {
    return sentNs;
  }

  @Override
  public DirectBuffer bytes() {
    return view;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public int ecn() {
    return ecn;
  }

  @Override
  public boolean isDuplicate() {
    return duplicate;
  }

  @Override
  public boolean isDamaged() {
    return damaged;
  }

  @Override
  public List<FrameNote> notes() {
    return notes;
  }
}
