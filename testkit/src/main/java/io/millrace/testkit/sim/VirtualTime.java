package io.millrace.testkit.sim;

/** Virtual time of one simulation: each later happening is an event at a time. Sim thread only. */
public interface VirtualTime {
  /**
   * Virtual time since the start of the run, ns; the same for all nodes, although each node has a
   * clock of its own.
   */
  long nowNs();

  /**
   * Runs {@code event} at {@code timeNs}, or now when this time is past. The seed decides the order
   * of events of one instant.
   */
  void at(long timeNs, Runnable event);
}
