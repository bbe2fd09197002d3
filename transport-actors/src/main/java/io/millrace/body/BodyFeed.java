package io.millrace.body;

/** Where the records of one outbound body come from. {@link #start} is for the worker's thread. */
public interface BodyFeed {
  /** The body wants records. */
  void start();

  /** The peer took over this many bytes. Any thread. */
  void onAcknowledged(int bytes);

  /** This many sealed bytes have a region now and leave. Any thread. */
  void onPlaced(int bytes);

  /** Nothing more is wanted. Any thread, idempotent. */
  void cancel();

  /** Whether other peers have the data key, and packets must seal the bytes for that. Constant. */
  default boolean isCovered() {
    return false;
  }
}
