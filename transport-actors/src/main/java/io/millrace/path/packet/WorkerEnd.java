package io.millrace.path.packet;

import io.millrace.transfer.CallOutcome;

/** The cause of a worker's end; the cause decides how every request to the worker ends. */
public enum WorkerEnd {
  /** The transport of the worker is closed. */
  CLOSED(CallOutcome.CLOSED, "the transport was closed"),

  /** The worker stopped by itself, after an exception that no part of the worker handles. */
  STOPPED(CallOutcome.WORKER_STOPPED, "the worker of this peer has stopped");

  private final CallOutcome outcome;
  private final String text;

  WorkerEnd(CallOutcome outcome, String text) {
    this.outcome = outcome;
    this.text = text;
  }

  /** The outcome of calls at this end. */
  public CallOutcome outcome() {
    return outcome;
  }

  /** The same cause in words. */
  public String text() {
    return text;
  }
}
