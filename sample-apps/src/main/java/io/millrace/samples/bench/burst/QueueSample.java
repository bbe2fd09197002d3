package io.millrace.samples.bench.burst;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * What the token bucket had counted at a time, as {@code tc -s -j qdisc show} prints it.
 *
 * @param atNs {@link System#nanoTime}
 * @param bytes that left, without the check sequence of Ethernet
 * @param packets that left
 * @param drops packets that found the queue full
 * @param backlogBytes that wait
 */
record QueueSample(long atNs, long bytes, long packets, long drops, long backlogBytes) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads one.
   *
   * @throws IOException if there is no token bucket in it
   */
  static QueueSample parse(long atNs, String json) throws IOException {
    for (JsonNode discipline : MAPPER.readTree(json)) {
      if (discipline.path("kind").asText().equals("tbf")) {
        return new QueueSample(
            atNs,
            discipline.path("bytes").asLong(),
            discipline.path("packets").asLong(),
            discipline.path("drops").asLong(),
            discipline.path("backlog").asLong());
      }
    }
    throw new IOException("no token bucket in " + json);
  }
}
