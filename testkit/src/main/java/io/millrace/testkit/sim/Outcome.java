package io.millrace.testkit.sim;

/** The outcome of a message, as told to the application that sent the message. */
public enum Outcome {
  /** The receiver executed the message. */
  DONE,
  /** The receiver executed the message, and the execution failed. */
  FAILED,
  /** The receiver did not execute the message, and will not. */
  REJECTED,
  /** The receiver executed the message once or not at all. */
  INDETERMINATE
}
