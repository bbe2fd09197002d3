package io.millrace.testkit.sim;

/** What an application was told about something that it had sent. */
public enum Outcome {
  /** It was executed. */
  DONE,
  /** It was executed, and the execution failed. */
  FAILED,
  /** It was not executed, and will not be. */
  REJECTED,
  /** It was executed once or not at all. */
  INDETERMINATE
}
