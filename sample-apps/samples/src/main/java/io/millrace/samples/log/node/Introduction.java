package io.millrace.samples.log.node;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * A replica tells another replica the identity of its directory.
 *
 * @param replica the number of the replica
 * @param identity the identity of its directory, made once for the empty directory
 * @param isReplacing whether the replica takes the place of a lost directory
 */
record Introduction(int replica, String identity, boolean isReplacing) {
  void write(FieldWriter out) {
    out.small(replica).bytes(ByteString.fromString(identity)).small(isReplacing ? 1 : 0);
  }

  static Introduction read(FieldReader in) {
    return new Introduction(in.small(), identity(in), in.small() == 1);
  }

  /** An identity becomes a line of a file, so the text must look like an identity. */
  static String identity(FieldReader in) {
    String text = in.bytes().utf8String();
    if (!text.matches("[0-9a-f-]{1,64}")) {
      throw new IllegalArgumentException("not the identity of a directory");
    }
    return text;
  }
}
