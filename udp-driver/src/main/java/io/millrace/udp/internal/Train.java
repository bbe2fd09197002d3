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

  /** The slot number of the send buffer. */
  public int index() {
    return buffer.index();
  }

  /** Native address of the first byte that was not yet handled. */
  public long nextAddress() {
    return buffer.buffer().addressOffset() + handledBytes;
  }

  /** Which source port it leaves from; 0 for the endpoint's own. */
  public int sourcePort() {
    return sourcePort;
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
    onProgress(bytes);
  }

  /** The next {@code bytes} will not go out. */
  public void onFailed(int bytes, int failedStatus) {
    onProgress(bytes);
    status = failedStatus;
  }

  private void onProgress(int bytes) {
    handledBytes += bytes;
    blockedFlushes = 0;
    pendingErrors = 0;
  }

  /** A flush found no room; how many there were since the last progress. */
  public int onBlocked() {
    return ++blockedFlushes;
  }

  /** A call failed that may not be this train's fault; how many since the last progress. */
  public int onPendingError() {
    return ++pendingErrors;
  }

  /** The system will not cut this train: each datagram goes out by itself. */
  public void sendInPieces() {
    isInPieces = true;
    pendingErrors = 0;
  }

  /** Whether {@link #sendInPieces()} was called. */
  public boolean isInPieces() {
    return isInPieces;
  }
}
