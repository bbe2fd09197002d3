package io.millrace.samples.log.core;

import java.util.ArrayList;
import java.util.List;

/**
 * An acceptor's answer to the preparation of a ballot.
 *
 * @param promised the ballot asked for, or after a refusal the higher promised ballot
 * @param chosenThrough the last slot of the prefix of slots that this replica knows to be chosen
 * @param entries the accepted entries above these slots
 */
public record Promise(Ballot promised, long chosenThrough, List<Entry> entries) {
  /** Copies the entries. */
  public Promise {
    entries = List.copyOf(entries);
  }

  /** Writes the fields. */
  public void write(FieldWriter out) {
    promised.write(out);
    out.number(chosenThrough).small(entries.size());
    entries.forEach(entry -> entry.write(out));
  }

  /** Reads the fields. */
  public static Promise read(FieldReader in) {
    Ballot promised = Ballot.read(in);
    long chosenThrough = in.number();
    int count = in.count(Entry.LEAST_BYTES);
    List<Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(Entry.read(in));
    }
    return new Promise(promised, chosenThrough, entries);
  }
}
