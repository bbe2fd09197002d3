package io.millrace.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.millrace.telemetry.kamon.EventMetrics;
import io.millrace.telemetry.kamon.MetricDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The series of one transport and the registries that have a meter of each series: a new series
 * goes to every registry, and a new registry gets every series. Any thread.
 */
final class BoundMeters implements EventMetrics.Instruments {
  private final Tags common;
  private final Set<MeterRegistry> registries = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<MeteredSeries> present = new LinkedHashSet<>();
  private boolean isClosed;

  /** No series so far; each series will carry the {@code common} tags. */
  BoundMeters(Tags common) {
    this.common = common;
  }

  @Override
  public synchronized EventMetrics.Instrument of(MetricDefinition metric, List<String> tags) {
    Tags all = common;
    for (int i = 0; i < tags.size(); i++) {
      all = all.and(metric.tags().get(i), tags.get(i));
    }
    MeteredSeries series = MeteredSeries.of(metric, all, this::forget);
    if (!isClosed) {
      present.add(series);
      registries.forEach(series::register);
    }
    return series;
  }

  private synchronized void forget(MeteredSeries series) {
    present.remove(series);
  }

  synchronized void bindTo(MeterRegistry registry) {
    if (!isClosed && registries.add(registry)) {
      present.forEach(series -> series.register(registry));
    }
  }

  synchronized void close() {
    isClosed = true;
    registries.clear();
    new ArrayList<>(present).forEach(MeteredSeries::remove);
  }
}
