package io.millrace.samples.log.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.ReplicaWatch;
import io.millrace.samples.log.disk.Checkpoint;
import io.millrace.samples.log.disk.Journal;
import io.millrace.samples.log.disk.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A replica whose directory is not noted by the others. */
final class WaitingReplicaTest {
  private static final List<String> MEMBERS = List.of("r0:1", "r1:1", "r2:1");

  /** Keeps nothing. */
  private static final class NoDisk implements Journal {
    private int written;

    @Override
    public Recovered recovered() {
      return new Recovered(Optional.empty(), List.of());
    }

    @Override
    public CompletionStage<Void> append(JournalRecord entry) {
      written++;
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void note(JournalRecord entry) {
      written++;
    }

    @Override
    public CompletionStage<Void> checkpoint(Checkpoint checkpoint) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  /** Counts the messages to the others. */
  private static final class Told implements Replica.Links {
    private final List<Ballot> prepared = new ArrayList<>();
    private int resigned;

    @Override
    public void prepare(Ballot ballot) {
      prepared.add(ballot);
    }

    @Override
    public void accept(
        Entry entry, long chosenThrough, CompletionStage<Void> own, boolean isLast) {}

    @Override
    public void repeat(int replica, List<Entry> entries, long chosenThrough) {}

    @Override
    public void chosen(int replica, Chosen chosen) {}

    @Override
    public void catchUp(int from, long slot) {}

    @Override
    public void resign() {
      resigned++;
    }
  }

  private final NoDisk disk = new NoDisk();
  private final Told told = new Told();
  private boolean isAdmitted;

  /** The replica's directory may stand in place of a directory that held promises. */
  @Test
  void shouldPromiseNothingWhenTheReplicaThatShouldLeadHasResigned() {
    Replica replica =
        new Replica(
            ReplicaOptions.of(1, MEMBERS),
            disk,
            new Turns(Runnable::run),
            told,
            ReplicaWatch.NONE,
            () -> isAdmitted);
    replica.onLeader(0);
    replica.onResigned(0);
    for (int i = 0; i < 20; i++) {
      replica.onTick();
    }
    assertEquals(List.of(), told.prepared);
    assertEquals(0, disk.written);
    assertTrue(told.resigned > 0, "the next one is to lead");

    isAdmitted = true;
    replica.onTick();
    assertEquals(1, told.prepared.size());
  }
}
