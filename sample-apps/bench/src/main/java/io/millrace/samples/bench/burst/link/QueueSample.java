package io.millrace.samples.bench.burst.link;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * The counters of the token bucket at a time, as {@code tc -s -j qdisc show} prints the counters.
 *
 * @param atNs {@link System#nanoTime}
 * @param bytes bytes sent, without the check sequence of Ethernet
 * @param packets packets sent
 * @param drops packets dropped at a full queue
 * @param backlogBytes bytes in the queue
 */
public record QueueSample(long atNs, long bytes, long packets, long drops, long backlogBytes) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads a sample from the output of {@code tc}.
   *
   * @throws IOException if the output has no token bucket
   */
  public static QueueSample parse(long atNs, String json) throws IOException {
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
