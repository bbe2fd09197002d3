package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.telemetry.kamon.MetricDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard and the documents name metrics that exist. */
class MetricNamesTest {
  private static final Pattern IN_PROMETHEUS = Pattern.compile("\\bmillrace_[a-z_]+");
  private static final int FEWEST_IN_DASHBOARD = 30;

  private static String text(String path) {
    return SourceTree.current().file(path).orElseThrow().text();
  }

  private static SortedSet<String> named(String path) {
    SortedSet<String> names = new TreeSet<>();
    IN_PROMETHEUS.matcher(text(path)).results().forEach(each -> names.add(each.group()));
    return names;
  }

  private static SortedSet<String> existing() {
    SortedSet<String> names = new TreeSet<>();
    for (MetricDefinition each : MetricDefinition.all()) {
      if (each.kind() == MetricDefinition.Kind.HISTOGRAM) {
        for (String part : List.of("_bucket", "_sum", "_count")) {
          names.add(each.prometheusName() + part);
        }
      } else {
        names.add(each.prometheusName());
      }
    }
    return names;
  }

  @Test
  void shouldNameOnlyMetricsThatExist() {
    for (String path : List.of("docs/grafana/dashboard.json", "docs/observability-metrics.md")) {
      SortedSet<String> unknown = named(path);
      unknown.removeAll(existing());
      assertEquals(new TreeSet<>(), unknown, path);
    }
    int named = named("docs/grafana/dashboard.json").size();
    assertTrue(named >= FEWEST_IN_DASHBOARD, () -> "the dashboard names only " + named);
  }

  /** The names of metrics that the catalogue of events does not list. */
  @Test
  void shouldDocumentEveryMetricOfTheAggregatorItself() {
    String text = text("docs/observability-metrics.md");
    List<String> missing = new ArrayList<>();
    for (MetricDefinition each : MetricDefinition.all()) {
      if (!each.isOfCatalogue() && !text.contains("`" + each.name() + "` |")) {
        missing.add(each.name());
      }
    }
    assertEquals(List.of(), missing);
  }
}
