package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.TransportEvents;
import io.millrace.wire.RouteId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events in recordings of the JVM, of nodes on real sockets. */
@Timeout(60)
class JfrRecordingTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int CALLS = 10;

  @TempDir private Path folder;

  private static void call(TwoNodes nodes) throws Exception {
    Raw.serve(
        nodes.server,
        ECHO,
        call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
    for (int i = 0; i < CALLS; i++) {
      Raw.unary(nodes.peer(), ECHO, "the wheel turns".getBytes(UTF_8)).get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldHoldTheEventsFromTheStartToTheEndOfItsNodes() throws Exception {
    Path file = folder.resolve("nodes.jfr");
    String server;
    try (Recording recording = new Recording()) {
      recording.enable("io.millrace.TransferEnded");
      recording.start();
      try (TwoNodes nodes = new TwoNodes("")) {
        server = nodes.server.address();
        call(nodes);
      }
      recording.stop();
      recording.dump(file);
    }
    Map<String, List<RecordedEvent>> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getCategoryNames().contains("Millrace"))
            .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
    assertEquals(2, of(events, "WorkerStarted").size());
    RecordedEvent shaken =
        of(events, "HandshakeCompleted").stream()
            .filter(event -> event.getString("peer").equals(server))
            .findFirst()
            .orElseThrow();
    assertTrue(shaken.getDuration("rttNs").compareTo(Duration.ZERO) > 0);
    assertEquals(List.of("Millrace", "handshakes"), shaken.getEventType().getCategoryNames());
    List<RecordedEvent> ended = of(events, "TransferEnded");
    assertEquals(CALLS, ended.size());
    for (RecordedEvent event : ended) {
      assertEquals("OK", event.getString("outcome"));
      assertEquals(server, event.getString("peer"));
      assertTrue(event.getDuration("latencyNs").compareTo(Duration.ZERO) > 0);
    }
    assertFalse(events.containsKey("io.millrace.TransferStarted"), "nobody has enabled it");
    List<RecordedEvent> activity = of(events, "WorkerActivity");
    for (String figure : List.of("requestsSent", "responsesReceived", "requestsServed")) {
      assertEquals(
          CALLS, activity.stream().mapToLong(event -> event.getLong(figure)).sum(), figure);
    }
  }

  private static List<RecordedEvent> of(Map<String, List<RecordedEvent>> events, String name) {
    return events.getOrDefault("io.millrace." + name, List.of());
  }

  @Test
  void shouldCostWorkersNothingUnlessARecordingEnablesData() {
    UnaryOperator<Transport.Builder> unseen = builder -> builder.events(TransportEvents.NONE);
    try (TwoNodes nodes = new TwoNodes("", unseen, unseen);
        Recording plain = new Recording();
        Recording recording = new Recording()) {
      assertFalse(isHeard(nodes), "no recording runs");
      plain.start();
      assertFalse(isHeard(nodes), "the recording has enabled no data event");
      recording.enable("io.millrace.PacketLost");
      recording.start();
      assertTrue(isHeard(nodes), "a recording has enabled a data event");
      recording.stop();
      assertFalse(isHeard(nodes), "the recording of data was stopped");
    }
  }

  private static boolean isHeard(TwoNodes nodes) {
    return nodes.client.pool().port(0).counters().data().isHeard();
  }
}
