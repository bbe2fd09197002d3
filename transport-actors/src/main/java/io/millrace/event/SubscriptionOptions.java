package io.millrace.event;

import java.time.Duration;

/**
 * The options of a subscriber to events.
 *
 * @param queuedEvents the number of events that may wait for the subscriber, 2 or more; rounded up
 *     to a power of two
 * @param dataBytes bytes of data events of each worker that may wait for the subscriber; 0 for no
 *     data events, else a power of two of 4 KiB or more
 * @param activityEvery how often the subscriber is told the activity of each worker since the last
 *     report; zero for never. An interval that the subscriber's thread is too slow for is added to
 *     the next interval.
 */
public record SubscriptionOptions(int queuedEvents, int dataBytes, Duration activityEvery) {
  /** The default number of events that may wait for a subscriber. */
  public static final int DEFAULT_QUEUED_EVENTS = 4_096;

  /** All events but data events, and no activity. */
  public static final SubscriptionOptions DEFAULTS =
      new SubscriptionOptions(DEFAULT_QUEUED_EVENTS, 0, Duration.ZERO);

  private static final int DEFAULT_DATA_BYTES = 1 << 20;
  private static final int LEAST_DATA_BYTES = 4_096;

  /**
   * Checks the figures.
   *
   * @throws IllegalArgumentException if a figure is out of its range
   */
  public SubscriptionOptions {
    if (queuedEvents < 2) {
      throw new IllegalArgumentException("2 or more events may wait, not " + queuedEvents);
    }
    if (dataBytes != 0 && (dataBytes < LEAST_DATA_BYTES || Integer.bitCount(dataBytes) != 1)) {
      throw new IllegalArgumentException(
          "bytes of data events must be a power of two of 4,096 or more, not " + dataBytes);
    }
    if (activityEvery.isNegative()) {
      throw new IllegalArgumentException("the interval of activity is negative");
    }
  }

  /** Returns these options with another number of waiting events. */
  public SubscriptionOptions withQueuedEvents(int events) {
    return new SubscriptionOptions(events, dataBytes, activityEvery);
  }

  /** The same, with data events: 1 MiB of each worker may wait. */
  public SubscriptionOptions withData() {
    return withData(DEFAULT_DATA_BYTES);
  }

  /** The same, with data events, of which this number of bytes of each worker may wait. */
  public SubscriptionOptions withData(int bytes) {
    return new SubscriptionOptions(queuedEvents, bytes, activityEvery);
  }

  /** The same, with the activity of each worker, this often. */
  public SubscriptionOptions withActivityEvery(Duration interval) {
    return new SubscriptionOptions(queuedEvents, dataBytes, interval);
  }
}
