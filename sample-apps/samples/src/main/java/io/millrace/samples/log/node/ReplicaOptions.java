package io.millrace.samples.log.node;

import io.millrace.samples.log.core.Quorum;
import io.millrace.samples.log.core.SizeLimits;
import java.time.Duration;
import java.util.List;

/**
 * The place of a replica among the members, and the limits of its work.
 *
 * @param self the place of the replica in {@code members}
 * @param members handshake addresses of all replicas, the same list everywhere
 * @param quorum the number of replicas that must answer
 * @param window the number of slots that a leader proposes before the first is chosen
 * @param limits the largest sizes of operations, batches and the state
 * @param mostWaiting the number of operations that may wait for a slot; more operations are refused
 * @param checkpointEvery the number of slots between checkpoints, so that the log can be cut
 * @param retainedSlots the number of slots that stay in memory behind a checkpoint, for replicas
 *     that lag
 * @param mostSessions the number of clients' sessions; the session unused longest is forgotten
 * @param tick the time between two looks for messages to send again
 */
public record ReplicaOptions(
    int self,
    List<String> members,
    Quorum quorum,
    int window,
    SizeLimits limits,
    int mostWaiting,
    int checkpointEvery,
    int retainedSlots,
    int mostSessions,
    Duration tick) {
  /** Copies the members. */
  public ReplicaOptions {
    members = List.copyOf(members);
    if (self < 0 || self >= members.size()) {
      throw new IllegalArgumentException("there is no replica " + self + " in " + members);
    }
  }

  /** Returns the usual options. */
  public static ReplicaOptions of(int self, List<String> members) {
    return new ReplicaOptions(
        self,
        members,
        Quorum.majority(members.size()),
        16,
        SizeLimits.USUAL,
        16_384,
        10_000,
        2_000,
        65_536,
        Duration.ofMillis(50));
  }

  /** Returns these options with other quorums, which may be unsafe. */
  public ReplicaOptions withQuorum(Quorum other) {
    return new ReplicaOptions(
        self,
        members,
        other,
        window,
        limits,
        mostWaiting,
        checkpointEvery,
        retainedSlots,
        mostSessions,
        tick);
  }

  /** Returns these options with other sizes, which must be the same on all replicas. */
  public ReplicaOptions withLimits(SizeLimits other) {
    return new ReplicaOptions(
        self,
        members,
        quorum,
        window,
        other,
        mostWaiting,
        checkpointEvery,
        retainedSlots,
        mostSessions,
        tick);
  }

  /** Returns these options with checkpoints after other numbers of slots. */
  public ReplicaOptions withCheckpoints(int every, int retained) {
    return new ReplicaOptions(
        self, members, quorum, window, limits, mostWaiting, every, retained, mostSessions, tick);
  }
}
