package io.millrace.samples.log;

import io.millrace.samples.log.disk.Checkpoint;
import io.millrace.samples.log.disk.CorruptJournalException;
import io.millrace.samples.log.disk.Frames;
import io.millrace.samples.log.disk.Journal;
import io.millrace.samples.log.disk.JournalRecord;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A node's disk in a simulation, which holds the bytes of a log file and a checkpoint. A force
 * takes a while. Of one that a crash cuts short, or that fails, any first part is there, down to
 * the byte. Simulation thread only.
 */
final class SimulatedDisk {
  static final String TORN = "a node finds a torn log";
  private static final long FORCE_NS = 300_000;

  private final SimRun run;
  private final int number;
  private final Draws draws;
  private Optional<Checkpoint> checkpoint = Optional.empty();
  private ByteArrayOutputStream log = new ByteArrayOutputStream();
  private @Nullable Opened opened;
  private int draw;
  private boolean failsNext;

  SimulatedDisk(SimRun run, int number) {
    this.run = run;
    this.number = number;
    draws = run.swarm().draws("disk." + number);
    run.onCrash(
        crashed -> {
          if (crashed == number && opened != null) {
            opened.onCrash();
          }
        });
  }

  /** Opens it for one life of a node; a torn end is cut off. */
  Journal open(SimNode node) {
    Opened present = new Opened(node, recover());
    opened = present;
    return present;
  }

  /** The next force fails, and all that come after it in this life of the node. */
  void failNext() {
    failsNext = true;
  }

  /** No force fails any more; returns whether one has failed in this life of the node. */
  boolean repair() {
    failsNext = false;
    return opened != null && opened.failure != null;
  }

  private Journal.Recovered recover() {
    byte[] bytes = log.toByteArray();
    try {
      Frames.Content content = Frames.read("disk " + number, ByteBuffer.wrap(bytes));
      if (content.bytes() < bytes.length) {
        run.reached(TORN);
        log = new ByteArrayOutputStream();
        log.writeBytes(Arrays.copyOf(bytes, content.bytes()));
      }
      return new Journal.Recovered(checkpoint, content.records());
    } catch (CorruptJournalException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What is to be written, and who waits for it: a record or a checkpoint. */
  private record Waiting(
      @Nullable JournalRecord entry, @Nullable Checkpoint written, CompletableFuture<Void> done) {}

  private final class Opened implements Journal {
    private final SimNode node;
    private final int life;
    private final Recovered recovered;
    private List<Waiting> waiting = new ArrayList<>();
    private List<Waiting> forcing = List.of();
    private @Nullable IOException failure;

    private Opened(SimNode node, Recovered recovered) {
      this.node = node;
      this.recovered = recovered;
      life = node.incarnation();
    }

    @Override
    public Recovered recovered() {
      return recovered;
    }

    @Override
    public CompletionStage<Void> append(JournalRecord entry) {
      return add(new Waiting(entry, null, new CompletableFuture<>()));
    }

    @Override
    public CompletionStage<Void> checkpoint(Checkpoint written) {
      return add(new Waiting(null, written, new CompletableFuture<>()));
    }

    private CompletionStage<Void> add(Waiting what) {
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      waiting.add(what);
      if (forcing.isEmpty()) {
        force();
      }
      return what.done;
    }

    private void force() {
      forcing = waiting;
      waiting = new ArrayList<>();
      run.simulation().at(run.simulation().nowNs() + FORCE_NS, this::onForced);
    }

    private void onForced() {
      if (!node.isUp() || node.incarnation() != life) {
        return;
      }
      List<Waiting> batch = forcing;
      if (failsNext) {
        failsNext = false;
        onFailed(batch);
        return;
      }
      write(batch, steps(batch), 0);
      forcing = List.of();
      batch.forEach(each -> each.done.complete(null));
      if (forcing.isEmpty() && !waiting.isEmpty()) {
        force();
      }
    }

    private void onFailed(List<Waiting> batch) {
      tear(batch);
      IOException now = new IOException("a force failed");
      failure = now;
      List<Waiting> behind = waiting;
      waiting = new ArrayList<>();
      forcing = List.of();
      batch.forEach(each -> each.done.completeExceptionally(now));
      behind.forEach(each -> each.done.completeExceptionally(now));
    }

    private void onCrash() {
      if (!forcing.isEmpty()) {
        tear(forcing);
        forcing = List.of();
      }
    }

    /** Of what was being forced some steps are there, and perhaps a part of the next. */
    private void tear(List<Waiting> batch) {
      int whole = (int) draws.below(draw, 0, steps(batch) + 1);
      write(batch, whole, draws.unit(draw, 1));
      draw++;
    }

    /** Records that go into one frame are one step, and a checkpoint is one. */
    private int steps(List<Waiting> batch) {
      return frames(batch).size();
    }

    private List<List<Waiting>> frames(List<Waiting> batch) {
      List<List<Waiting>> frames = new ArrayList<>();
      for (Waiting each : batch) {
        boolean goesOn = !frames.isEmpty() && each.written == null;
        if (goesOn && frames.getLast().getFirst().written == null) {
          frames.getLast().add(each);
        } else {
          frames.add(new ArrayList<>(List.of(each)));
        }
      }
      return frames;
    }

    private void write(List<Waiting> batch, int whole, double partOfNext) {
      List<List<Waiting>> frames = frames(batch);
      for (int i = 0; i < frames.size() && i <= whole; i++) {
        Checkpoint written = frames.get(i).getFirst().written;
        if (written == null) {
          List<JournalRecord> records = new ArrayList<>();
          frames.get(i).forEach(each -> records.add(each.entry));
          ByteBuffer encoded = Frames.encode(records);
          byte[] bytes = new byte[encoded.remaining()];
          encoded.get(bytes);
          log.write(bytes, 0, i < whole ? bytes.length : (int) (bytes.length * partOfNext));
        } else if (i < whole) {
          checkpoint = Optional.of(written);
          log = new ByteArrayOutputStream();
        }
      }
    }

    @Override
    public void close() {
      // The simulation forgets it with its node's life.
    }
  }
}
