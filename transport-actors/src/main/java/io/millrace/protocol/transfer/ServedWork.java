package io.millrace.protocol.transfer;

/** The work of executing a {@link ServedCall} elsewhere. */
public interface ServedWork {
  /**
   * The caller gave the call up, or the call's path has ended, so that nobody waits for the answer,
   * which is to come all the same. On the worker's thread, once at most; must not block and must
   * not throw.
   */
  void onAbandoned();
}
