package io.millrace.samples.log.node;

import io.millrace.samples.log.disk.Checkpoint;
import io.millrace.samples.log.disk.Journal;
import io.millrace.samples.log.disk.JournalRecord;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A journal that reports its first failure. The reaction of the replica is decided elsewhere. */
final class WatchedJournal implements Journal {
  private final Journal journal;
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  WatchedJournal(Journal journal) {
    this.journal = journal;
  }

  /** Completes with the cause when a write has failed. */
  CompletableFuture<Throwable> failure() {
    return failure;
  }

  @Override
  public Recovered recovered() {
    return journal.recovered();
  }

  @Override
  public CompletionStage<Void> append(JournalRecord entry) {
    return watched(journal.append(entry));
  }

  @Override
  public void note(JournalRecord entry) {
    journal.note(entry);
  }

  @Override
  public CompletionStage<Void> checkpoint(Checkpoint checkpoint) {
    return watched(journal.checkpoint(checkpoint));
  }

  private CompletionStage<Void> watched(CompletionStage<Void> written) {
    return written.whenComplete(
        (_, cause) -> {
          if (cause != null) {
            failure.complete(cause);
          }
        });
  }

  @Override
  public void close() {
    journal.close();
  }
}
