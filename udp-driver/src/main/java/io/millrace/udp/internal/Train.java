package io.millrace.udp.internal;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;

/**
 * A send buffer and how far the train in it has come: which bytes went out, which failed, and why.
 * Belongs to a {@link TrainQueue}; one per send buffer, made once.
 */
public final class Train {
  /** Whose turn it is. */
  enum Phase {
    FREE,
    ACQUIRED,
    POSTED,
    DONE
  }

  final SendBuffer buffer;
  Phase phase = Phase.FREE;
  private int destination;
  private int length;
  private int segmentLength;
  private long context;
  private int handledBytes;
  private int attempts;
  private int status;

  Train(SendBuffer buffer) {
    this.buffer = buffer;
  }

  void start(int destination, int length, int segmentLength, long context) {
    this.destination = destination;
    this.length = length;
    this.segmentLength = segmentLength;
    this.context = context;
    this.handledBytes = 0;
    this.attempts = 0;
    this.status = CompletionHandler.STATUS_OK;
  }

  /** The slot number of the send buffer. */
  public int index() {
    return buffer.index();
  }

  /** Native address of the first byte that was not yet handled. */
  public long nextAddress() {
    return buffer.buffer().addressOffset() + handledBytes;
  }

  /** Where the train goes. */
  public int destination() {
    return destination;
  }

  /** Bytes of every datagram but the last. */
  public int segmentLength() {
    return segmentLength;
  }

  /** Handed back with the completion. */
  public long context() {
    return context;
  }

  /** Bytes that have gone out or failed. */
  public int handledBytes() {
    return handledBytes;
  }

  /** Bytes still to send. */
  public int remainingBytes() {
    return length - handledBytes;
  }

  /** Bytes of the next datagram. */
  public int nextSegmentBytes() {
    return Math.min(segmentLength, remainingBytes());
  }

  /** Datagrams that {@code bytes} from the next one on make. */
  public int segmentsIn(int bytes) {
    return bytes <= segmentLength ? 1 : (bytes + segmentLength - 1) / segmentLength;
  }

  /** Whether every byte was handled. */
  public boolean isHandled() {
    return handledBytes == length;
  }

  /** The worst that happened so far, a status of {@link CompletionHandler}. */
  public int status() {
    return status;
  }

  /** The next {@code bytes} went out. */
  public void onSent(int bytes) {
    handledBytes += bytes;
    attempts = 0;
  }

  /** The next {@code bytes} will not go out. */
  public void onFailed(int bytes, int failedStatus) {
    handledBytes += bytes;
    attempts = 0;
    status = failedStatus;
  }

  /** Counts an attempt that found no room; how many there were since the last progress. */
  public int onBlocked() {
    return ++attempts;
  }
}
