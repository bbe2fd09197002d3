package io.millrace.path.packet;

import io.millrace.transfer.CallOutcome;

/** Why a worker ends, which is how all that was asked of it ends. */
public enum WorkerEnd {
  /** Its transport is closed. */
  CLOSED(CallOutcome.CLOSED, "the transport was closed"),

  /** It stopped by itself: something threw that nobody else answers for. */
  STOPPED(CallOutcome.WORKER_STOPPED, "the worker of this peer has stopped");

  private final CallOutcome outcome;
  private final String text;

  WorkerEnd(CallOutcome outcome, String text) {
    this.outcome = outcome;
    this.text = text;
  }

  /** How calls end. */
  public CallOutcome outcome() {
    return outcome;
  }

  /** The same in words. */
  public String text() {
    return text;
  }
}
