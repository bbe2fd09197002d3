package io.millrace.body;

/** The source of the records of one outbound body. {@link #start} is for the worker's thread. */
public interface BodyFeed {
  /** The body wants records. */
  void start();

  /** The peer took over this number of bytes. Any thread may call this. */
  void onAcknowledged(int bytes);

  /** This number of sealed bytes has a region now and leaves. Any thread may call this. */
  void onPlaced(int bytes);

  /** No more records are wanted. Any thread, idempotent. */
  void cancel();

  /** Whether other peers get the same sealed bytes. The answer never changes. */
  default boolean isShared() {
    return false;
  }

  /**
   * Whether other peers have the data key, so that packets must seal the bytes again. The answer
   * never changes.
   */
  default boolean isCovered() {
    return false;
  }
}
