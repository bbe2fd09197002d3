package io.millrace.samples.log.disk;

import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import io.millrace.samples.log.core.Promise;
import org.apache.pekko.util.ByteString;

/**
 * All that a replica knows at one time, so that older records are not needed.
 *
 * @param state the state after all slots up to {@code rest.chosenThrough()}
 * @param rest the promise of the replica, and the entries accepted above these slots
 */
public record Checkpoint(ByteString state, Promise rest) {
  /** Returns the last slot of the state. */
  public long slot() {
    return rest.chosenThrough();
  }

  /** Returns the bytes of this checkpoint. */
  public ByteString encode() {
    FieldWriter out = new FieldWriter();
    rest.write(out.bytes(state));
    return out.toBytes();
  }

  /** Reads the bytes of a checkpoint. */
  public static Checkpoint decode(ByteString bytes) {
    FieldReader in = new FieldReader(bytes);
    Checkpoint checkpoint = new Checkpoint(in.bytes(), Promise.read(in));
    in.end();
    return checkpoint;
  }
}
