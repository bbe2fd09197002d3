package io.millrace.samples.log.node;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;

/**
 * The state of a replica, in the replica's own view.
 *
 * @param role the present role: LEADING, or FOLLOWING, or PREPARING and CATCHING_UP on the way to
 *     lead
 * @param leader the number of the replica named as leader; -1 if no replica is named
 * @param members the members of the cluster in the replica's view, in order; empty without a
 *     cluster
 * @param chosenThrough all slots up to here are chosen and applied here
 * @param trouble the reason why the replica takes no part, in one sentence; empty for a replica
 *     that takes part
 */
public record ReplicaStatus(
    String role, int leader, List<Integer> members, long chosenThrough, String trouble) {
  private static final TransferOptions CALL =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(5));
  private static final int NUMBER_BYTES = 4;

  /** Copies the members. */
  public ReplicaStatus {
    members = List.copyOf(members);
  }

  /** Returns whether the replica leads. */
  public boolean isLeading() {
    return role.equals("LEADING");
  }

  /** Asks a replica; the future fails as calls do. */
  public static CompletableFuture<ReplicaStatus> ask(Peer replica) {
    return replica.unary(LogRoutes.STATUS, 0L, CALL);
  }

  void write(FieldWriter out) {
    out.bytes(ByteString.fromString(role)).small(leader).small(members.size());
    members.forEach(out::small);
    out.number(chosenThrough).bytes(ByteString.fromString(trouble));
  }

  static ReplicaStatus read(FieldReader in) {
    String role = in.bytes().utf8String();
    int leader = in.small();
    int count = in.count(NUMBER_BYTES);
    List<Integer> members = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      members.add(in.small());
    }
    return new ReplicaStatus(role, leader, members, in.number(), in.bytes().utf8String());
  }
}
