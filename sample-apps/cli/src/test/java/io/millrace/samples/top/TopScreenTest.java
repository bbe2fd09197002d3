package io.millrace.samples.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopScreenTest {
  private static final long SECOND = 1_000_000_000L;
  private final WatchedNode node = new WatchedNode("10.0.0.1:9401");

  /**
   * Returns the metrics of a node with a single worker, with counts over this number of seconds.
   */
  private static PrometheusText scrape(int seconds, int calls, int lost, int health, int nicUp) {
    return PrometheusText.parse(
        """
        millrace_workers_observed_seconds_total{worker="0"} %d
        millrace_workers_up{worker="0"} 1.0
        millrace_transfers_responses_received_total{worker="0"} %d
        millrace_packets_sent_total{worker="0"} %d
        millrace_packets_lost_total{worker="0"} %d
        millrace_paths_load_bytes{worker="0"} 70000.0
        millrace_paths_open{worker="0"} 3.0
        millrace_nic_sent_bytes_total{worker="0",nic="eth0",driver="udp"} %d
        millrace_nic_up{worker="0",nic="eth0"} %d
        millrace_peers_health{peer="10.0.0.2:7400"} %d
        millrace_events_total{kind="HandshakeFailed",level="warn"} %d
        millrace_events_total{kind="WorkerFault",level="error"} 2.0
        # TYPE millrace_transfer_latency_seconds histogram
        millrace_transfer_latency_seconds_bucket{worker="0",le="0.0001"} %d
        millrace_transfer_latency_seconds_bucket{worker="0",le="0.001"} %d
        millrace_transfer_latency_seconds_bucket{worker="0",le="+Inf"} %d
        millrace_transfer_latency_seconds_sum{worker="0"} 1
        millrace_transfer_latency_seconds_count{worker="0"} %d
        """
            .formatted(
                seconds,
                calls,
                calls,
                lost,
                calls * 1_000,
                nicUp,
                health,
                health,
                calls / 2,
                calls,
                calls,
                calls));
  }

  private List<String> lines(boolean isColoured) {
    return new TopScreen(isColoured).lines(List.of(node));
  }

  @Test
  void shouldShowRatesOfTheTimeThatTheCountsCover() {
    node.onScrape(scrape(10, 1_000, 10, 0, 1), SECOND);
    assertEquals("10.0.0.1:9401          no figures yet", lines(false).get(1));
    node.onScrape(scrape(12, 83_000, 3_290, 2, 0), 2 * SECOND);
    List<String> expected =
        List.of(
            "NODE                     CALLS/s  FAILED/s  SERVED/s       P50       P99     PKT/s "
                + " LOSS % RETRANS/s",
            "10.0.0.1:9401              41.0k         0         0     100us     982us     41.0k   "
                + " 4.00         0",
            "  worker 0       calls/s 41.0k   served/s 0       pkt/s tx 41.0k   rx 0       under"
                + " way 70.0kB  of it unsent 0B  paths 3",
            "  nic    eth0   DOWN  tx 41.0MB/s  rx 0B/s  drops/s 0",
            "  peer   10.0.0.2:7400 PROBING",
            "  warn   HandshakeFailed: 2 since it started, of these just now 2",
            "  error  WorkerFault: 2 since it started");
    assertEquals(expected, lines(false));
    node.onScrape(scrape(12, 83_000, 3_290, 2, 0), 3 * SECOND);
    assertEquals(expected, lines(false), "the node has counted nothing new");
  }

  @Test
  void shouldColourWhatIsWrongAlone() {
    node.onScrape(scrape(1, 10, 0, 0, 1), SECOND);
    node.onScrape(scrape(2, 20, 0, 0, 1), 2 * SECOND);
    assertEquals(
        0,
        lines(true).stream().filter(line -> line.contains("\u001b[1;31m")).count(),
        "all is well");
    node.onScrape(scrape(3, 30, 1, 3, 0), 3 * SECOND);
    List<String> lines = lines(true);
    assertTrue(lines.get(1).contains("\u001b[1;31m  10.00\u001b[0m"), lines.get(1));
    assertTrue(lines.get(3).contains("\u001b[1;31m DOWN\u001b[0m"), lines.get(3));
    assertEquals("\u001b[1;31m  peer   10.0.0.2:7400 FAILED\u001b[0m", lines.get(4));
    assertEquals(
        "\u001b[33m  warn   HandshakeFailed: 3 since it started, of these just now 3\u001b[0m",
        lines.get(5));
    assertEquals("  error  WorkerFault: 2 since it started", lines.get(6), "an old one");
  }

  @Test
  void shouldSayThatANodeIsDownAndForgetItsCounts() {
    node.onScrape(scrape(10, 1_000, 0, 0, 1), SECOND);
    node.onScrape(scrape(11, 2_000, 0, 0, 1), 2 * SECOND);
    node.onFailure("connection refused", 3 * SECOND);
    node.onFailure("connection refused", 7 * SECOND);
    assertEquals("10.0.0.1:9401          DOWN: connection refused, for 4 s", lines(false).get(1));
    assertEquals(2, lines(false).size());
    node.onScrape(scrape(20, 9_000, 0, 0, 1), 8 * SECOND);
    assertEquals("10.0.0.1:9401          no figures yet", lines(false).get(1), "another process");
    node.onScrape(scrape(21, 9_010, 0, 0, 1), 9 * SECOND);
    String line = lines(false).get(1);
    assertTrue(line.startsWith("10.0.0.1:9401                 10 "), line);
  }
}
