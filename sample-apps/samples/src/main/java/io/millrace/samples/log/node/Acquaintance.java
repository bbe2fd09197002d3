package io.millrace.samples.log.node;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * A replica's answer to the introduction of another replica. The answer is on the disk of the
 * answering replica.
 *
 * @param identity the identity of the answering replica
 * @param known the identity on record for the introduced replica; recorded now if there was no
 *     record
 * @param isSinceNew whether this record was made while the answering replica was new, and so before
 *     its first vote
 * @param isNew whether the answering replica takes no part yet
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
