package io.millrace.efa.ofi;

/** The functions used from the C library: the process environment and signal handlers. */
interface LibC {
  /** Sets a variable of the process environment, which native code reads with {@code getenv}. */
  void setEnvironment(String name, String value, boolean overwrite);

  /**
   * {@code sigaction(2)}; either address may be 0.
   *
   * @param newAction address of a {@code struct sigaction} to install
   * @param oldAction address of room for the previously installed action
   * @return 0, or -1 when the signal cannot be handled
   */
  int signalAction(int signal, long newAction, long oldAction);

  /** Returns a copy of {@code text} in memory that native code may {@code free}. */
  long duplicate(String text);
}
