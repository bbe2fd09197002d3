package io.millrace.samples.log.core;

import org.apache.pekko.util.ByteString;

/**
 * What an acceptor has for one slot.
 *
 * @param slot from 1 on
 * @param ballot in which it was accepted
 * @param value a {@link Batch}, encoded; empty for nothing to do
 */
public record Entry(long slot, Ballot ballot, ByteString value) {
  /** Bytes of one without a value. */
  static final int LEAST_BYTES = 24;

  /** The same, known to be chosen. */
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
