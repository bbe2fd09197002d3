package io.millrace.telemetry.kamon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.event.EventArguments;
import io.millrace.event.EventKind;
import io.millrace.event.PeerHealthChange;
import io.millrace.event.TransportEvents;
import io.millrace.transfer.PeerHealth;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventMetricsTest {
  private final List<String> removed = new ArrayList<>();
  private final EventMetrics metrics =
      new EventMetrics(
          (metric, tags) ->
              new EventMetrics.Instrument() {
                @Override
                public void update(long value, long times) {}

                @Override
                public void remove() {
                  removed.add(metric.name() + tags);
                }
              });

  static Stream<Method> warnings() {
    List<String> loud =
        Arrays.stream(EventKind.values())
            .filter(
                each ->
                    each.level() == EventKind.Level.WARN || each.level() == EventKind.Level.ERROR)
            .map(each -> "on" + each.title())
            .toList();
    return Arrays.stream(TransportEvents.class.getMethods())
        .filter(method -> loud.contains(method.getName()));
  }

  private static PeerHealthChange change(String peer, PeerHealth to) {
    return new PeerHealthChange(0, peer, PeerHealth.PROBING, to, 9, 0.5, 100, "silent");
  }

  /** Each error and each warning counts as itself and as nothing else. */
  @ParameterizedTest
  @MethodSource("warnings")
  void shouldCountAWarningOnceAndNoOther(Method warning) throws Exception {
    warning.invoke(metrics, EventArguments.of(warning));
    SortedMap<String, Long> values = new TreeMap<>(metrics.values());
    values.keySet().removeIf(name -> !name.startsWith("millrace.events{"));
    String counted =
        values.keySet().stream()
            .filter(name -> name.contains("kind=" + warning.getName().substring(2) + ","))
            .findFirst()
            .orElseThrow();
    assertEquals(1, values.remove(counted));
    assertEquals(0, values.values().stream().mapToLong(Long::longValue).sum());
    assertEquals(warnings().count() - 1, values.size());
  }

  private long health(String peer) {
    return metrics.values().getOrDefault("millrace.peers.health{peer=" + peer + "}", -1L);
  }

  @Test
  void shouldKeepTheHealthOfSoManyPeersAndForgetHealthyOnesFirst() {
    for (int i = 0; i < EventMetrics.MOST_PEERS; i++) {
      metrics.onPeerHealth(change("p:" + i, PeerHealth.DEGRADED));
    }
    metrics.onPeerHealth(change("late:1", PeerHealth.FAILED));
    metrics.onPeerHealth(change("late:2", PeerHealth.PROBING));
    assertEquals(-1, health("late:1"));
    assertEquals(3, health(EventMetrics.OTHER), "the worst of them");

    metrics.onPeerHealth(change("p:5", PeerHealth.HEALTHY));
    assertEquals(0, health("p:5"));
    metrics.onPeerHealth(change("late:3", PeerHealth.PROBING));
    assertEquals(-1, health("p:5"));
    assertEquals(2, health("late:3"));
    assertEquals(List.of("millrace.peers.health[p:5]"), removed);
  }

  @Test
  void shouldFollowNicsAndWorkers() {
    metrics.onNicChanged(1, "eth0", false);
    assertEquals(0, metrics.values().get("millrace.nic.up{worker=1,nic=eth0}"));
    metrics.onNicChanged(1, "eth0", true);
    assertEquals(1, metrics.values().get("millrace.nic.up{worker=1,nic=eth0}"));
    metrics.onWorkerStopped(1, "on purpose");
    assertEquals(0, metrics.values().get("millrace.workers.up{worker=1}"));
  }
}
