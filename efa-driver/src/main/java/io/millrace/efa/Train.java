package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;
import java.util.Arrays;

/** A send buffer and the progress of its train; belongs to {@link SendQueue}. */
final class Train {
  /** The stages of a buffer. */
  enum Stage {
    /** With the driver, to be acquired. */
    FREE,
    /** With the worker. */
    ACQUIRED,
    /** Posted; some datagrams are not yet with the provider. */
    QUEUED,
    /** All datagrams are with the provider, or given up. */
    LEFT
  }

  final SendBuffer buffer;
  final long address;
  Stage stage = Stage.FREE;
  int destination;
  int generation;
  int length;
  int segmentLength;

  /** The bytes taken by the provider so far. */
  int postedBytes;

  /** Datagrams with the provider. */
  int inFlight;

  int status;
  long context;

  /** The place in the order of posted trains. */
  long ordinal;

  /** For each datagram a bit: its receiver was not ready, so the datagram waits for a repeat. */
  private final long[] waiting;

  /** For each datagram a bit: it was posted again. */
  private final long[] repeated;

  private int waitingCount;

  /**
   * @param packets the most datagrams of a train
   */
  Train(SendBuffer buffer, int packets) {
    this.buffer = buffer;
    this.address = buffer.buffer().addressOffset();
    this.waiting = new long[(packets + Long.SIZE - 1) / Long.SIZE];
    this.repeated = new long[waiting.length];
  }

  /** Starts over with a new train. */
  void post(int newDestination, int newGeneration, int newLength, int newSegment, long newContext) {
    stage = Stage.QUEUED;
    destination = newDestination;
    generation = newGeneration;
    length = newLength;
    segmentLength = newSegment;
    context = newContext;
    postedBytes = 0;
    inFlight = 0;
    waitingCount = 0;
    status = CompletionHandler.STATUS_OK;
    Arrays.fill(waiting, 0);
    Arrays.fill(repeated, 0);
  }

  /** Whether a datagram is to be handed to the provider. */
  boolean hasNext() {
    return waitingCount > 0 || postedBytes < length;
  }

  /** Returns the next datagram: the first that waits for a repeat, else the first unposted. */
  int next() {
    if (waitingCount == 0) {
      return postedBytes / segmentLength;
    }
    int word = 0;
    while (waiting[word] == 0) {
      word++;
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(waiting[word]);
  }

  /** Returns the offset of a datagram in the buffer. */
  int offset(int datagram) {
    return datagram * segmentLength;
  }

  int bytes(int datagram) {
    return Math.min(segmentLength, length - offset(datagram));
  }

  /** The provider took {@link #next()}. Returns whether the datagram was posted before. */
  boolean onPosted(int datagram) {
    if (waitingCount == 0) {
      postedBytes += bytes(datagram);
      return false;
    }
    waiting[datagram / Long.SIZE] &= ~(1L << datagram);
    repeated[datagram / Long.SIZE] |= 1L << datagram;
    waitingCount--;
    return true;
  }

  boolean isRepeated(int datagram) {
    return (repeated[datagram / Long.SIZE] & 1L << datagram) != 0;
  }

  /** The datagram, no longer with the provider, is to be posted again. */
  void repeat(int datagram) {
    waiting[datagram / Long.SIZE] |= 1L << datagram;
    waitingCount++;
  }

  /** Gives the datagrams up that are not with the provider, and returns their number. */
  int giveUp() {
    int datagrams = waitingCount + (length - postedBytes + segmentLength - 1) / segmentLength;
    waitingCount = 0;
    postedBytes = length;
    return datagrams;
  }

  boolean isComplete() {
    return stage == Stage.LEFT && inFlight == 0;
  }
}
