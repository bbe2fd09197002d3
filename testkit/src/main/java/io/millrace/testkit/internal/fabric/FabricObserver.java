package io.millrace.testkit.internal.fabric;

/** Sees the writes of a fabric, in the order in which things happen. Must change nothing. */
public interface FabricObserver {
  /** A sender posted it; its bytes lie in {@code write.source()}. */
  default void onPosted(WriteView write, long nowNs) {}

  /** So many of its bytes, from {@code at} on, are in the target's memory. */
  default void onLanded(WriteView write, int at, int length, long nowNs) {}

  /** The sender is told how it ended; see the statuses of {@code CompletionHandler}. */
  default void onEnded(WriteView write, int status, long nowNs) {}
}
