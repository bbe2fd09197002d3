package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.SendBuffer;

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

  Train(SendBuffer buffer) {
    this.buffer = buffer;
    this.address = buffer.buffer().addressOffset();
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
    status = CompletionHandler.STATUS_OK;
  }

  int nextBytes() {
    return Math.min(segmentLength, length - postedBytes);
  }

  /** Returns the number of datagrams not taken by the provider. */
  int remainingDatagrams() {
    return (length - postedBytes + segmentLength - 1) / segmentLength;
  }

  boolean isComplete() {
    return stage == Stage.LEFT && inFlight == 0;
  }
}
