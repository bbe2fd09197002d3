package io.millrace.testkit.sim;

/** How a network interface of a simulated node is. */
public enum NicState {
  /** It works. */
  UP,
  /** Nothing arrives, and what is sent vanishes; nobody is told. */
  SILENT,
  /** Nothing arrives, and what is sent is refused. */
  DOWN
}
