package io.millrace.samples.gossip;

import io.millrace.api.Transport;
import io.millrace.api.WorkerSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What drivers did: the two verbs that Millrace has, messages and one-sided writes.
 *
 * @param sent messages, each received into a buffer that the other side had posted: datagrams over
 *     UDP, send and receive over a fabric
 * @param received messages
 * @param written one-sided writes into memory of a peer
 * @param withImmediate peers' one-sided writes that came with an immediate value
 */
public record VerbCounts(long sent, long received, long written, long withImmediate) {
  /** Of no driver. */
  public static final VerbCounts NONE = new VerbCounts(0, 0, 0, 0);

  /** The name by which drivers of fabrics count what came with an immediate value. */
  private static final String REMOTE_WRITES = "remote_writes";

  /** Of all workers of a node so far. */
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

  /** Of both. */
  public VerbCounts plus(VerbCounts other) {
    return new VerbCounts(
        sent + other.sent,
        received + other.received,
        written + other.written,
        withImmediate + other.withImmediate);
  }

  /** What was done since then. */
  public VerbCounts since(VerbCounts before) {
    return new VerbCounts(
        sent - before.sent,
        received - before.received,
        written - before.written,
        withImmediate - before.withImmediate);
  }

  /** By name, as a report has it. */
  public Map<String, Long> byName() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("messages_sent", sent);
    all.put("messages_received", received);
    all.put("one_sided_writes", written);
    all.put("writes_with_immediate", withImmediate);
    return all;
  }

  /** The counts in the order of {@link #byName}. */
  public List<Long> counts() {
    return List.copyOf(byName().values());
  }
}
