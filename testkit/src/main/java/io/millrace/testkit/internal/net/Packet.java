package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.sim.VirtualTime;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A datagram on its way, and the event of its next step. Pooled: whoever has it last recycles it,
 * and nobody touches it once the next step is scheduled, which may happen at once.
 */
final class Packet implements PacketView, Runnable {
  private static final int NOT_CAPABLE = 0;
  private static final int CONGESTION_EXPERIENCED = 3;

  private final NetworkCounters counters;
  private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
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

  /** What is to happen next. */
  enum Step {
    /** It is at the end of the link. */
    ARRIVE,
    /** It leaves the queue of the receiver's interface. */
    LEAVE_QUEUE,
    /** The news that nobody listens there is back at the sender. */
    REPORT_UNREACHABLE,
    /** The news that it was too large is back at the sender. */
    REPORT_TOO_LARGE
  }

  /** What a datagram travels over: its link. */
  interface Way {
    /** Its number. */
    long key();

    /** When steps are taken. */
    VirtualTime time();

    /** The address of a port at the sender. */
    SimAddress source(int port);

    /** The address of a port at the receiver. */
    SimAddress destination(int port);

    /** The step that the datagram was scheduled for is due. */
    void onStep(Packet packet, Step step);

    /** Sends news about a lost datagram to its sender. */
    void report(Packet packet, Step news);
  }

  Packet(NetworkCounters counters, Way way) {
    this.counters = counters;
    this.way = way;
  }

  /** What pooled packets are before they are somebody's. */
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

  /** A congested queue was met. */
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
