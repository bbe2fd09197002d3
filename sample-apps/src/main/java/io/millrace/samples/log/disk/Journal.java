package io.millrace.samples.log.disk;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a replica remembers over a crash. One thread calls it; stages complete on any thread. When
 * one fails, all later ones do: what the device has then is unknown.
 */
public interface Journal extends AutoCloseable {
  /** What was there when it was opened: the last checkpoint, and what came after it. */
  record Recovered(Optional<Checkpoint> checkpoint, List<JournalRecord> records) {
    /** Copies the records. */
    public Recovered {
      records = List.copyOf(records);
    }
  }

  /** What was there when it was opened. */
  Recovered recovered();

  /** Writes a record; the stage completes when that survives a crash, and with it all before. */
  CompletionStage<Void> append(JournalRecord entry);

  /**
   * Writes all that is known, so that what was written before need not be kept. What is appended
   * from now on comes after it.
   */
  CompletionStage<Void> checkpoint(Checkpoint checkpoint);

  /** Writes what waits, and ends. */
  @Override
  void close();
}
