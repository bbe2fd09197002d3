package io.millrace.samples.log.node;

import io.millrace.samples.log.core.Quorum;
import io.millrace.samples.log.core.SizeLimits;
import java.time.Duration;
import java.util.List;

/**
 * What a replica is and how it works.
 *
 * @param self its place in {@code members}
 * @param members handshake addresses of all replicas, the same list everywhere
 * @param quorum how many must answer
 * @param window slots that a leader proposes before the first of them is chosen
 * @param limits how large operations, batches and the state may become
 * @param mostWaiting operations that wait for a slot, at most; more are refused
 * @param checkpointEvery slots after which all that is known is written anew, so that the log can
 *     be cut
 * @param retainedSlots slots that stay in memory behind a checkpoint, for replicas that lag
 * @param mostSessions of clients; the one unused longest is forgotten
 * @param tick how often it looks what is to be sent again
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

  /** The usual ones. */
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

  /** With other quorums, which may be unsafe. */
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

  /** With other sizes, which must be the same on all replicas. */
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

  /** With checkpoints after other numbers of slots. */
  public ReplicaOptions withCheckpoints(int every, int retained) {
    return new ReplicaOptions(
        self, members, quorum, window, limits, mostWaiting, every, retained, mostSessions, tick);
  }
}
