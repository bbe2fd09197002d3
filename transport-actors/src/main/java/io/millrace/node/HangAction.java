package io.millrace.node;

/**
 * The action upon a worker that hangs. The action runs after the event and the log line, on the
 * watchdog's thread, once for each time that a worker hangs; if the action returns, watching goes
 * on.
 */
@FunctionalInterface
public interface HangAction {
  /** The exit code with which {@link #HALT} ends the process. */
  int EXIT_CODE = 70;

  /**
   * Ends the process at once, with {@link #EXIT_CODE} and without shutdown hooks, which might wait
   * for the hung worker. Peers notice the end as the death of a process.
   */
  HangAction HALT = hung -> Runtime.getRuntime().halt(EXIT_CODE);

  /** Does nothing beyond the event and the log line. */
  HangAction NONE = hung -> {};

  /** A worker hangs. An exception of this method is logged. */
  void onHung(HungWorker hung);
}
