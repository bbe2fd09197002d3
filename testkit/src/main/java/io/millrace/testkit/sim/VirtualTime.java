package io.millrace.testkit.sim;

/**
 * Virtual time of one simulation: what is to happen later is an event at a time. Sim thread only.
 */
public interface VirtualTime {
  /**
   * Virtual time since the start of the run, ns; the same for all nodes (each has its own clock
   * beside it).
   */
  long nowNs();

  /**
   * Runs {@code event} at {@code timeNs}, or now when that is past. Events of one instant run in an
   * order that the seed decides.
   */
  void at(long timeNs, Runnable event);
}
