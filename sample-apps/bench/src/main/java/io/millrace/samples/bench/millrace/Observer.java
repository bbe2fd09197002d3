package io.millrace.samples.bench.millrace;

import io.millrace.api.Transport;
import io.millrace.event.Count;
import io.millrace.event.SubscriptionOptions;
import io.millrace.event.TransportEvents;
import io.millrace.event.WorkerActivity;
import io.millrace.transfer.CallOutcome;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** The observer of a measured node's events. */
enum Observer {
  /** No subscriber. */
  NOBODY("events without a subscriber"),
  /** Adds up the counts of each worker in each second. */
  METRICS("a subscriber adds up the counts of each worker in each second"),
  /** Takes every packet, message and transfer. */
  EVENTS("a subscriber takes every event of packets, messages and transfers"),
  /** Sleeps in every event. */
  SLEEPING("a subscriber to all events sleeps 10 ms in each event"),
  /** Throws in every event. */
  THROWING("a subscriber to all events throws in each event");

  /** The system property that names the observer to the process. */
  static final String PROPERTY = "millrace.bench.observer";

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long SLEEP_NS = 10_000_000;

  private final String text;

  Observer(String text) {
    this.text = text;
  }

  /** The observer's behaviour, for the report. */
  String text() {
    return text;
  }

  /** The observer that the parent chose for this process. */
  static Observer ofProcess() {
    return valueOf(System.getProperty(PROPERTY, NOBODY.name()));
  }

  /** Subscribes, until the transport is closed. */
  void observe(Transport transport) {
    SubscriptionOptions metrics = SubscriptionOptions.DEFAULTS.withActivityEvery(SECOND);
    switch (this) {
      case NOBODY -> {}
      case METRICS -> transport.subscribe(new Sums(), metrics);
      case EVENTS -> transport.subscribe(new Taking(() -> {}), metrics.withData());
      case SLEEPING ->
          transport.subscribe(
              new Taking(() -> LockSupport.parkNanos(SLEEP_NS)), metrics.withData());
      case THROWING ->
          transport.subscribe(
              new Taking(
                  () -> {
                    throw new IllegalStateException("on purpose");
                  }),
              metrics.withData());
    }
  }

  private static final class Sums implements TransportEvents {
    private final LongAdder sum = new LongAdder();

    @Override
    public void onWorkerActivity(WorkerActivity activity) {
      for (Count count : Count.values()) {
        sum.add(activity.count(count));
      }
    }
  }

  /** Receives the most frequent events. */
  private static final class Taking implements TransportEvents {
    private final Runnable action;

    private Taking(Runnable action) {
      this.action = action;
    }

    @Override
    public void onPacketSent(int worker, String peer, long packetNumber, int bytes) {
      action.run();
    }

    @Override
    public void onPacketReceived(int worker, String peer, long packetNumber, int bytes) {
      action.run();
    }

    @Override
    public void onMessageSent(int worker, String peer, int template, int bytes) {
      action.run();
    }

    @Override
    public void onMessageReceived(int worker, String peer, int template, int bytes) {
      action.run();
    }

    @Override
    public void onTransferStarted(
        int worker, String peer, long transfer, int priority, long bytes) {
      action.run();
    }

    @Override
    public void onTransferEnded(
        int worker, String peer, long transfer, CallOutcome outcome, long latencyNs) {
      action.run();
    }

    @Override
    public void onTransferServed(int worker, String peer, long transfer, int priority, long bytes) {
      action.run();
    }
  }
}
