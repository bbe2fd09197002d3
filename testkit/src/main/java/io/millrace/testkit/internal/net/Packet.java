package io.millrace.testkit.internal.net;

import io.millrace.testkit.internal.base.SimAddress;
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

  private final NetworkRun run;
  private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
  private byte[] array = new byte[0];
  private int length;
  private SimLink link;
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

  Packet(NetworkRun run, SimLink link) {
    this.run = run;
    this.link = link;
  }

  /** What pooled packets are before they are somebody's. */
  Packet use(SimLink newLink, int fromPort, int toPort) {
    link = newLink;
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
    run.counters().damaged++;
  }

  /** A congested queue was met. */
  void mark() {
    if (ecn != NOT_CAPABLE && ecn != CONGESTION_EXPERIENCED) {
      ecn = CONGESTION_EXPERIENCED;
      run.counters().marked++;
    }
  }

  void schedule(Step next, long atNs) {
    step = next;
    link.time().at(atNs, this);
  }

  @Override
  public void run() {
    switch (step) {
      case ARRIVE -> link.onArrival(this);
      case LEAVE_QUEUE -> link.receiver().deliver(this);
      case REPORT_UNREACHABLE, REPORT_TOO_LARGE -> link.onReport(this);
    }
  }

  boolean isReport(Step kind) {
    return step == kind;
  }

  SimLink simLink() {
    return link;
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
    return link.sender().address(sourcePort);
  }

  @Override
  public SimAddress destination() {
    return link.receiver().address(destinationPort);
  }

  @Override
  public long link() {
    return link.key();
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
