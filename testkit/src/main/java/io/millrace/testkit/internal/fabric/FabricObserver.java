package io.millrace.testkit.internal.fabric;

/** Sees the writes of a fabric, in the order of their events. Must change nothing. */
public interface FabricObserver {
  /** A sender posted the write; the write's bytes lie in {@code write.source()}. */
  default void onPosted(WriteView write, long nowNs) {}

  /** This many bytes of the write, from {@code at} on, are in the target's memory. */
  default void onLanded(WriteView write, int at, int length, long nowNs) {}

  /** The sender is told how the write ended; see the statuses of {@code CompletionHandler}. */
  default void onEnded(WriteView write, int status, long nowNs) {}
}
