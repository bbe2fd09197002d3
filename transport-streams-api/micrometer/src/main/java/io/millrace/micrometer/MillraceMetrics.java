package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.event.SubscriptionOptions;
import io.millrace.telemetry.kamon.EventMetrics;
import java.time.Duration;

/**
 * A subscriber to the events of a transport that keeps the transport's metrics as meters of
 * Micrometer: the metrics of {@link io.millrace.telemetry.kamon.MetricDefinition#all}, with the
 * names and tags that Kamon gets. Times are in seconds, sizes in {@code bytes}; other meters have
 * no unit. A counter or gauge is read when a registry is scraped. A histogram is a timer with
 * buckets from 1 microsecond to 10 seconds.
 *
 * <pre>{@code
 * MillraceMetrics metrics = new MillraceMetrics();
 * metrics.bindTo(registry);
 * Transport transport = Transport.builder(settings).events(metrics, metrics.options()).start();
 * }</pre>
 *
 * <p>No part of this class runs on a worker: workers hand their counts on every second. The number
 * of meters is bounded: the health of at most 1,000 peers has a meter. Two transports of a process
 * need distinguishing tags. Any thread.
 */
public final class MillraceMetrics extends EventMetrics implements MeterBinder, AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final BoundMeters meters;

  /** Metrics without tags but their own. */
  public MillraceMetrics() {
    this(Tags.empty());
  }

  /** Metrics that carry these tags, too. */
  public MillraceMetrics(Iterable<Tag> tags) {
    this(new BoundMeters(Tags.of(tags)));
  }

  private MillraceMetrics(BoundMeters meters) {
    super(meters);
    this.meters = meters;
  }

  /** Returns the options of the subscription: counts every second, no data events. */
  public SubscriptionOptions options() {
    return SubscriptionOptions.DEFAULTS.withActivityEvery(INTERVAL);
  }

  /**
   * Adds the meters to a registry, those of later events included. Timers begin with the first
   * interval after this call. A registry that has the meters already gets no further meters.
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    meters.bindTo(registry);
  }

  /** Takes the meters out of every registry. Idempotent. */
  @Override
  public void close() {
    meters.close();
    removeInstruments();
  }
}
