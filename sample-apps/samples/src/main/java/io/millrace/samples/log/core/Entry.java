package io.millrace.samples.log.core;

import org.apache.pekko.util.ByteString;

/**
 * An acceptor's entry for one slot.
 *
 * @param slot from 1 on
 * @param ballot the ballot of the acceptance
 * @param value a {@link Batch}, encoded; empty for no operations
 */
public record Entry(long slot, Ballot ballot, ByteString value) {
  /** The bytes of an entry without a value. */
  static final int LEAST_BYTES = 24;

  /** Returns the same entry, known to be chosen. */
  public Entry chosen() {
    return new Entry(slot, Ballot.CHOSEN, value);
  }

  /** Writes the fields. */
  public void write(FieldWriter out) {
    ballot.write(out.number(slot));
    out.bytes(value);
  }

  /** Reads the fields. */
  public static Entry read(FieldReader in) {
    return new Entry(in.number(), Ballot.read(in), in.bytes());
  }
}
