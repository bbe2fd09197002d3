package io.millrace.samples.gossip;

import io.millrace.api.Transport;
import io.millrace.api.WorkerSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of drivers: the two verbs of Millrace, messages and one-sided writes.
 *
 * @param sent messages, each received into a buffer posted by the other side: datagrams over UDP,
 *     send and receive over a fabric
 * @param received messages
 * @param written one-sided writes of bodies into memory of a peer
 * @param withImmediate peers' one-sided writes of packets, with an immediate value
 */
public record VerbCounts(long sent, long received, long written, long withImmediate) {
  /** The counts of no driver. */
  public static final VerbCounts NONE = new VerbCounts(0, 0, 0, 0);

  /** The name under which drivers of fabrics count writes with an immediate value. */
  private static final String REMOTE_WRITES = "remote_writes";

  /** Returns the counts of all workers of a node so far. */
  public static VerbCounts of(Transport transport) {
    VerbCounts sum = NONE;
    for (WorkerSnapshot worker : transport.snapshot().workers()) {
      sum =
          sum.plus(
              new VerbCounts(
                  worker.network().datagramsSent(),
                  worker.network().datagramsReceived(),
                  worker.bodies().remoteWrites().posted(),
                  worker.network().ofDriver().getOrDefault(REMOTE_WRITES, 0L)));
    }
    return sum;
  }

  /** Returns the sum of both counts. */
  public VerbCounts plus(VerbCounts other) {
    return new VerbCounts(
        sent + other.sent,
        received + other.received,
        written + other.written,
        withImmediate + other.withImmediate);
  }

  /** Returns the difference from earlier counts. */
  public VerbCounts since(VerbCounts before) {
    return new VerbCounts(
        sent - before.sent,
        received - before.received,
        written - before.written,
        withImmediate - before.withImmediate);
  }

  /** Returns the counts by name, for a report. */
  public Map<String, Long> byName() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("messages_sent", sent);
    all.put("messages_received", received);
    all.put("one_sided_writes", written);
    all.put("writes_with_immediate", withImmediate);
    return all;
  }

  /** Returns the counts in the order of {@link #byName}. */
  public List<Long> counts() {
    return List.copyOf(byName().values());
  }
}
