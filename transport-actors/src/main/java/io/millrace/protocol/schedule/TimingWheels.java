package io.millrace.protocol.schedule;

/** Makes the wheels of workers. Any thread. */
@FunctionalInterface
public interface TimingWheels {
  /** An empty wheel; see {@link TimingWheel#TimingWheel}. */
  TimingWheel make(long tickNs, int slots, long startNs);
}
