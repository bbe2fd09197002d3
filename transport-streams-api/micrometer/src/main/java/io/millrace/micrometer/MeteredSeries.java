package io.millrace.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.telemetry.kamon.EventMetrics;
import io.millrace.telemetry.kamon.MetricDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A metric with its tags, and its meter in each registry. One thread at a time updates a series;
 * any thread scrapes.
 */
abstract sealed class MeteredSeries implements EventMetrics.Instrument {
  private static final double NS_PER_SECOND = 1e9;
  private static final long LEAST_NS = 1_000;
  private static final long MOST_NS = 10_000_000_000L;

  private final MetricDefinition metric;
  private final Tags tags;
  private final Consumer<MeteredSeries> onRemoval;
  private final List<Registered> registered = new CopyOnWriteArrayList<>();

  private record Registered(MeterRegistry registry, Meter meter) {}

  private MeteredSeries(MetricDefinition metric, Tags tags, Consumer<MeteredSeries> onRemoval) {
    this.metric = metric;
    this.tags = tags;
    this.onRemoval = onRemoval;
  }

  static MeteredSeries of(MetricDefinition metric, Tags tags, Consumer<MeteredSeries> onRemoval) {
    return switch (metric.kind()) {
      case COUNTER -> new OfCounter(metric, tags, onRemoval);
      case GAUGE -> new OfGauge(metric, tags, onRemoval);
      case HISTOGRAM -> new OfTimer(metric, tags, onRemoval);
    };
  }

  /** Adds the meter of this series to a registry. */
  final void register(MeterRegistry registry) {
    registered.add(new Registered(registry, meter(registry)));
  }

  @Override
  public final void remove() {
    onRemoval.accept(this);
    for (Registered each : registered) {
      Meter _ = each.registry().remove(each.meter());
    }
    registered.clear();
  }

  abstract Meter meter(MeterRegistry registry);

  final MetricDefinition metric() {
    return metric;
  }

  final Tags tags() {
    return tags;
  }

  final Stream<Meter> meters() {
    return registered.stream().map(Registered::meter);
  }

  /** The unit in Micrometer; counted things have no unit there, else names would repeat them. */
  final @Nullable String unit() {
    return switch (metric.unit()) {
      case MetricDefinition.BYTES -> "bytes";
      case MetricDefinition.NANOSECONDS -> "seconds";
      default -> null;
    };
  }

  /** A value of the metric in the unit of Micrometer. */
  final double scaled(long value) {
    return metric.unit().equals(MetricDefinition.NANOSECONDS) ? value / NS_PER_SECOND : value;
  }

  private static final class OfCounter extends MeteredSeries {
    private volatile long total;

    OfCounter(MetricDefinition metric, Tags tags, Consumer<MeteredSeries> onRemoval) {
      super(metric, tags, onRemoval);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // updates come under the lock of the metrics
    public void update(long value, long times) {
      total += value;
    }

    @Override
    Meter meter(MeterRegistry registry) {
      return FunctionCounter.builder(metric().name(), this, series -> series.scaled(series.total))
          .description(metric().text())
          .baseUnit(unit())
          .tags(tags())
          .register(registry);
    }
  }

  private static final class OfGauge extends MeteredSeries {
    private volatile long value;

    OfGauge(MetricDefinition metric, Tags tags, Consumer<MeteredSeries> onRemoval) {
      super(metric, tags, onRemoval);
    }

    @Override
    public void update(long now, long times) {
      value = now;
    }

    @Override
    Meter meter(MeterRegistry registry) {
      return Gauge.builder(metric().name(), this, series -> series.scaled(series.value))
          .description(metric().text())
          .baseUnit(unit())
          .tags(tags())
          .register(registry);
    }
  }

  private static final class OfTimer extends MeteredSeries {
    private static final Duration[] BUCKETS = buckets();

    /** From a microsecond to ten seconds: the buckets that {@code --metrics} has, too. */
    private static Duration[] buckets() {
      List<Duration> bounds = new ArrayList<>();
      for (long ns = LEAST_NS; ns < MOST_NS; ns *= 10) {
        for (int digit : new int[] {1, 2, 3, 5, 7}) {
          bounds.add(Duration.ofNanos(ns * digit));
        }
      }
      bounds.add(Duration.ofNanos(MOST_NS));
      return bounds.toArray(Duration[]::new);
    }

    OfTimer(MetricDefinition metric, Tags tags, Consumer<MeteredSeries> onRemoval) {
      super(metric, tags, onRemoval);
    }

    @Override
    public void update(long value, long times) {
      meters()
          .forEach(
              meter -> {
                for (long i = 0; i < times; i++) {
                  ((Timer) meter).record(value, TimeUnit.NANOSECONDS);
                }
              });
    }

    @Override
    Meter meter(MeterRegistry registry) {
      return Timer.builder(metric().name())
          .description(metric().text())
          .serviceLevelObjectives(BUCKETS)
          .tags(tags())
          .register(registry);
    }
  }
}
