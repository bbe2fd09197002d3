package io.millrace.samples.log.node;

import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;

/**
 * A leader's news of chosen slots.
 *
 * @param ballot the ballot of the leader
 * @param slot a chosen slot, or 0
 * @param through all slots up to here are chosen
 */
record Chosen(Ballot ballot, long slot, long through) {
  void write(FieldWriter out) {
    ballot.write(out);
    out.number(slot).number(through);
  }

  static Chosen read(FieldReader in) {
    return new Chosen(Ballot.read(in), in.number(), in.number());
  }
}
