package io.millrace.path.packet;

import io.millrace.driver.SendBuffer;

/**
 * What a path sends beside frames: chunks in packets of their own, and one-sided writes. On the
 * worker's thread; does not allocate.
 */
public interface BulkSource {
  /** Has nothing. */
  BulkSource NONE = new BulkSource() {};

  /** Bit n is set when chunks of level n may go in packets, which the peer acknowledges. */
  default int chunkLevels() {
    return 0;
  }

  /** Whether chunks of this level may go. */
  default boolean hasChunks(int level) {
    return false;
  }

  /** Bit n is set when something of level n may go without packets. */
  default int writeLevels() {
    return 0;
  }

  /**
   * Posts a train of chunks of this level.
   *
   * @param buffer the train's if the answer is true
   * @return false if nothing may go
   */
  default boolean sendChunks(SendBuffer buffer, int level, long nowNs) {
    return false;
  }

  /** Posts a one-sided write of this level; as {@link #sendChunks}. */
  default boolean sendWrite(SendBuffer buffer, int level, long nowNs) {
    return false;
  }

  /** The bulk of a path that waits for memory of the peer, and its part of each turn. */
  interface Demand {
    /** Nothing waits. */
    Demand NONE = new Demand() {};

    /** Bytes that wait for regions. */
    default long queuedBytes() {
      return 0;
    }

    /** A deadline of the path has come. */
    default void onTimer(long nowNs) {}

    /** The time at which {@link #onTimer} has something to do, ns. */
    default long nextDeadlineNs() {
      return Long.MAX_VALUE;
    }

    /** The last look of a turn: bulk must be queued now. */
    default void endTurn(long nowNs) {}
  }
}
