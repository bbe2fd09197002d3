package io.millrace.samples.log.node;

import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * A leader's proposal. A proposal is encoded once for all peers, so its route carries bytes.
 *
 * @param entry the entry to accept
 * @param chosenThrough slots up to here are chosen
 */
record Accept(Entry entry, long chosenThrough) {
  ByteString encode() {
    FieldWriter out = new FieldWriter().number(chosenThrough);
    entry.write(out);
    return out.toBytes();
  }

  static Accept decode(ByteString bytes) {
    FieldReader in = new FieldReader(bytes);
    long chosenThrough = in.number();
    Accept accept = new Accept(Entry.read(in), chosenThrough);
    in.end();
    return accept;
  }
}
