package io.millrace.samples.log.disk;

import io.millrace.samples.log.core.Acceptor;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.FieldReader;
import io.millrace.samples.log.core.FieldWriter;
import org.apache.pekko.util.ByteString;

/**
 * One thing that a replica remembers: what it accepted; what it promised; or that all slots up to
 * one are chosen as they stand.
 *
 * @param entry of a slot from 1 on; of slot 0 for a promise; of slot -N if those up to N are chosen
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

  /** What was accepted for these slots is chosen. */
  public static JournalRecord chosenThrough(long slot) {
    return new JournalRecord(new Entry(-slot, Ballot.NONE, ByteString.emptyByteString()));
  }

  /** Tells an acceptor what it knew. */
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
