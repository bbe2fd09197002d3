package io.millrace.samples.log.disk;

import io.millrace.samples.log.core.Acceptor;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * A fact that a replica remembers: an accepted entry, a promise, or that the entries of all slots
 * up to a slot are chosen.
 *
 * @param entry of a slot from 1 on; of slot 0 for a promise; of slot -N if all slots up to N are
 *     chosen
 */
public record JournalRecord(Entry entry) {
  /** A ballot was promised. */
  public static JournalRecord promised(Ballot ballot) {
    return new JournalRecord(new Entry(0, ballot, ByteString.emptyByteString()));
  }

  /** An entry was accepted, or learnt. */
  public static JournalRecord accepted(Entry entry) {
    return new JournalRecord(entry);
  }

  /** The accepted entries of all slots up to this slot are chosen. */
  public static JournalRecord chosenThrough(long slot) {
    return new JournalRecord(new Entry(-slot, Ballot.NONE, ByteString.emptyByteString()));
  }

  /** Restores this fact in an acceptor. */
  public void replay(Acceptor acceptor) {
    if (entry.slot() == 0) {
      acceptor.restore(entry.ballot());
    } else if (entry.slot() < 0) {
      acceptor.restoreChosenThrough(-entry.slot());
    } else {
      acceptor.restore(entry);
    }
  }

  void write(FieldWriter out) {
    entry.write(out);
  }

  static JournalRecord read(FieldReader in) {
    return new JournalRecord(Entry.read(in));
  }
}
