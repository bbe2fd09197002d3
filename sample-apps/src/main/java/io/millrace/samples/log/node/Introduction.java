package io.millrace.samples.log.node;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * A replica tells another one which directory it has.
 *
 * @param replica its number
 * @param identity of its directory, made once when that was empty
 * @param isReplacing whether it takes the place of a directory that is lost
 */
record Introduction(int replica, String identity, boolean isReplacing) {
  void write(FieldWriter out) {
    out.small(replica).bytes(ByteString.fromString(identity)).small(isReplacing ? 1 : 0);
  }

  static Introduction read(FieldReader in) {
    return new Introduction(in.small(), identity(in), in.small() == 1);
  }

  /** An identity becomes a line of a file, so it must look like one. */
  static String identity(FieldReader in) {
    String text = in.bytes().utf8String();
    if (!text.matches("[0-9a-f-]{1,64}")) {
      throw new IllegalArgumentException("not the identity of a directory");
    }
    return text;
  }
}
