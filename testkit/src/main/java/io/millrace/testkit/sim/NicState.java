package io.millrace.testkit.sim;

/** The state of a network interface of a simulated node. */
public enum NicState {
  /** It works. */
  UP,
  /** Nothing arrives, and sent datagrams vanish; nobody is told. */
  SILENT,
  /** Nothing arrives, and the interface refuses to send. */
  DOWN
}
