package io.millrace.node;

/**
 * What is done about a worker that hangs. It is told after the event and the log line, on the
 * watchdog's thread, once for each time that a worker hangs; if it returns, watching goes on.
 */
@FunctionalInterface
public interface HangAction {
  /** With what code {@link #HALT} ends the process. */
  int EXIT_CODE = 70;

  /**
   * Ends the process at once, with {@link #EXIT_CODE} and without shutdown hooks, which might wait
   * for the hung worker. Peers notice as they notice any process that dies.
   */
  HangAction HALT = hung -> Runtime.getRuntime().halt(EXIT_CODE);

  /** Leaves it at the event and the log line. */
  HangAction NONE = hung -> {};

  /** A worker hangs. What this throws is logged. */
  void onHung(HungWorker hung);
}
