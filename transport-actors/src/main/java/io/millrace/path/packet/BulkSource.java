package io.millrace.path.packet;

import io.millrace.driver.SendBuffer;

/**
 * The bulk of a path beside its frames: chunks in packets of their own, and one-sided writes. On
 * the worker's thread; does not allocate.
 */
public interface BulkSource {
  /** A source without bulk. */
  BulkSource NONE = new BulkSource() {};

  /** Bit n is set when chunks of level n may go in packets for the peer to acknowledge. */
  default int chunkLevels() {
    return 0;
  }

  /** Whether chunks of this level may go. */
  default boolean hasChunks(int level) {
    return false;
  }

  /** Bit n is set when a one-sided write of level n may go without packets. */
  default int writeLevels() {
    return 0;
  }

  /**
   * Posts a train of chunks of this level.
   *
   * @param buffer the buffer of the train; belongs to the train if the answer is true
   * @return false if no chunk of this level may go
   */
  default boolean sendChunks(SendBuffer buffer, int level, long nowNs) {
    return false;
  }

  /** Posts a one-sided write of this level; as {@link #sendChunks}. */
  default boolean sendWrite(SendBuffer buffer, int level, long nowNs) {
    return false;
  }

  /** The bulk of a path that waits for memory of the peer, and its work in each turn. */
  interface Demand {
    /** A path without waiting bulk. */
    Demand NONE = new Demand() {};

    /** The number of bytes waiting for regions. */
    default long queuedBytes() {
      return 0;
    }

    /** A deadline of the path has come. */
    default void onTimer(long nowNs) {}

    /** The time of the next work of {@link #onTimer}, ns. */
    default long nextDeadlineNs() {
      return Long.MAX_VALUE;
    }

    /** The last look of a turn: bulk for this turn must be queued now. */
    default void endTurn(long nowNs) {}
  }
}
