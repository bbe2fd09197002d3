package io.millrace.samples.log.disk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The memory of a replica that survives a crash. Calls of the journal come one at a time; stages
 * complete on any thread. When a stage fails, all later stages fail: the content of the device is
 * unknown then.
 */
public interface Journal extends AutoCloseable {
  /**
   * The content of the journal when it was opened: the last checkpoint, and the records after the
   * checkpoint.
   */
  record Recovered(Optional<Checkpoint> checkpoint, List<JournalRecord> records) {
    /** Copies the records. */
    public Recovered {
      records = List.copyOf(records);
    }
  }

  /** Returns the content of the journal when it was opened. */
  Recovered recovered();

  /**
   * Writes a record; the stage completes when the record, and all records before, survive a crash.
   */
  CompletionStage<Void> append(JournalRecord entry);

  /** Writes a record together with the next record; no force of its own is needed. */
  void note(JournalRecord entry);

  /**
   * Writes all that the replica knows, so that earlier records need not be kept. Later records come
   * after this checkpoint.
   */
  CompletionStage<Void> checkpoint(Checkpoint checkpoint);

  /** Writes the waiting records, and ends. */
  @Override
  void close();
}
