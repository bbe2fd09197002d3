package io.millrace.udp.internal;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;

/**
 * A send buffer and the progress of its train: the sent bytes, the failed bytes, and the cause of a
 * failure. Belongs to a {@link TrainQueue}; one train per send buffer, created once.
 */
public final class Train {
  /** The phases of a send buffer. */
  enum Phase {
    FREE,
    ACQUIRED,
    POSTED,
    DONE
  }

  final SendBuffer buffer;
  Phase phase = Phase.FREE;
  private int sourcePort;
  private int destination;
  private int length;
  private int segmentLength;
  private long context;
  private int handledBytes;
  private int blockedFlushes;
  private int pendingErrors;
  private int status;
  private boolean isInPieces;

  Train(SendBuffer buffer) {
    this.buffer = buffer;
  }

  void start(int sourcePort, int destination, int length, int segmentLength, long context) {
    this.sourcePort = sourcePort;
    this.destination = destination;
    this.length = length;
    this.segmentLength = segmentLength;
    this.context = context;
    this.handledBytes = 0;
    this.status = CompletionHandler.STATUS_OK;
    this.isInPieces = false;
    onProgress(0);
  }

  /** Returns the slot number of the send buffer. */
  public int index() {
    return buffer.index();
  }

  /** Returns the native address of the first unhandled byte. */
  public long nextAddress() {
    return buffer.buffer().addressOffset() + handledBytes;
  }

  /** Returns the number of the train's source port; 0 for the endpoint's own port. */
  public int sourcePort() {
    return sourcePort;
  }

  /** Returns the destination of the train. */
  public int destination() {
    return destination;
  }

  /** Returns the bytes of every datagram but the last. */
  public int segmentLength() {
    return segmentLength;
  }

  /** Returns the context, which goes back with the completion. */
  public long context() {
    return context;
  }

  /** Returns the number of bytes sent or failed. */
  public int handledBytes() {
    return handledBytes;
  }

  /** Returns the number of bytes still to send. */
  public int remainingBytes() {
    return length - handledBytes;
  }

  /** Returns the bytes of the next datagram. */
  public int nextSegmentBytes() {
    return Math.min(segmentLength, remainingBytes());
  }

  /** Returns the number of datagrams in {@code bytes} bytes from the next datagram on. */
  public int segmentsIn(int bytes) {
    return bytes <= segmentLength ? 1 : (bytes + segmentLength - 1) / segmentLength;
  }

  /** Whether every byte was sent or failed. */
  public boolean isHandled() {
    return handledBytes == length;
  }

  /** Returns the worst status so far, a status of {@link CompletionHandler}. */
  public int status() {
    return status;
  }

  /** Records that the next {@code bytes} bytes were sent. */
  public void onSent(int bytes) {
    onProgress(bytes);
  }

  /** Records that the next {@code bytes} bytes will not be sent. */
  public void onFailed(int bytes, int failedStatus) {
    onProgress(bytes);
    status = failedStatus;
  }

  private void onProgress(int bytes) {
    handledBytes += bytes;
    blockedFlushes = 0;
    pendingErrors = 0;
  }

  /** Counts a flush without room; returns the number of such flushes since the last progress. */
  public int onBlocked() {
    return ++blockedFlushes;
  }

  /**
   * Counts a failed call, perhaps without a fault of this train; returns the number of such calls
   * since the last progress.
   */
  public int onPendingError() {
    return ++pendingErrors;
  }

  /** Switches to single datagrams, because the system does not cut this train. */
  public void sendInPieces() {
    isInPieces = true;
    pendingErrors = 0;
  }

  /** Whether {@link #sendInPieces()} was called. */
  public boolean isInPieces() {
    return isInPieces;
  }
}
