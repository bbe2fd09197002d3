package io.millrace.samples.log.node;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * A replica's answer to one that introduced itself. It is on the disk of the replica that answers.
 *
 * @param identity of the replica that answers
 * @param known identity by which it knows the other one; since now, if it knew none
 * @param isSinceNew whether it has known that since it was new itself, and so from before its first
 *     vote
 * @param isNew whether it takes no part yet
 */
record Acquaintance(String identity, String known, boolean isSinceNew, boolean isNew) {
  void write(FieldWriter out) {
    out.bytes(ByteString.fromString(identity))
        .bytes(ByteString.fromString(known))
        .small(isSinceNew ? 1 : 0)
        .small(isNew ? 1 : 0);
  }

  static Acquaintance read(FieldReader in) {
    return new Acquaintance(
        Introduction.identity(in), Introduction.identity(in), in.small() == 1, in.small() == 1);
  }
}
