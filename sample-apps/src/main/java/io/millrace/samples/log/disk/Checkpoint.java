package io.millrace.samples.log.disk;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import io.millrace.samples.log.core.Promise;
import org.apache.pekko.util.ByteString;

/**
 * All that a replica knows at one time, so that older records are not needed.
 *
 * @param state what slots up to {@code rest.chosenThrough()} made
 * @param rest what was promised, and accepted above these slots
 */
public record Checkpoint(ByteString state, Promise rest) {
  /** Slots that it holds. */
  public long slot() {
    return rest.chosenThrough();
  }

  /** The bytes of it. */
  public ByteString encode() {
    FieldWriter out = new FieldWriter();
    rest.write(out.bytes(state));
    return out.toBytes();
  }

  /** Reads the bytes of one. */
  public static Checkpoint decode(ByteString bytes) {
    FieldReader in = new FieldReader(bytes);
    Checkpoint checkpoint = new Checkpoint(in.bytes(), Promise.read(in));
    in.end();
    return checkpoint;
  }
}
