package io.millrace.samples.log;

import io.millrace.samples.log.check.LogInvariants;
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
 * A node's disk in a simulation, with the bytes of a log file and a checkpoint. A force takes a
 * while, different from disk to disk and from time to time, or stands still. After a crash during a
 * force, or after a failed force, the disk has all bytes, no bytes or any first part, down to the
 * byte. A hole in the middle is possible, too. Simulation thread only.
 */
final class SimulatedDisk {
  static final String TORN = "a node finds a torn log";
  private static final long USUAL_FORCE_NS = 300_000;

  private final SimRun run;
  private final int number;
  private final Draws draws;
  private final @Nullable LogInvariants invariants;
  private final long forceNs;
  private Optional<Checkpoint> checkpoint = Optional.empty();
  private ByteArrayOutputStream log = new ByteArrayOutputStream();
  private @Nullable Opened opened;
  private int draw;
  private int logs;
  private boolean failsNext;
  private boolean isStalled;

  /** The number of calls of {@link #calm}. */
  private int calms;

  /** The factor by which a force is now slower than usual. */
  private long slowness = 1;

  /** The step in the middle of the next force; null for no step. */
  private @Nullable Runnable atNextForce;

  /** A disk with forces of 300 us each. */
  SimulatedDisk(SimRun run, int number) {
    this(run, number, USUAL_FORCE_NS, null);
  }

  /**
   * A disk of any pace.
   *
   * @param forceNs the time of a force, about
   */
  SimulatedDisk(SimRun run, int number, long forceNs, @Nullable LogInvariants invariants) {
    this.run = run;
    this.number = number;
    this.forceNs = forceNs;
    this.invariants = invariants;
    draws = run.swarm().draws("disk." + number);
    beginLog();
    run.onCrash(
        crashed -> {
          if (crashed == number && opened != null) {
            opened.onCrash();
          }
        });
  }

  private void beginLog() {
    logs++;
    log = new ByteArrayOutputStream();
    log.writeBytes(bytes(Frames.header(salt())));
  }

  private long salt() {
    return draws.draw(-1, logs);
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** Opens the disk for a life of a node; cuts off a torn end. */
  Journal open(SimNode node) {
    Opened present = new Opened(node, recover());
    opened = present;
    if (invariants != null) {
      invariants.onRecovered(number, present.recovered);
    }
    return present;
  }

  /** The next force fails, and all later forces in this life of the node. */
  void failNext() {
    failsNext = true;
  }

  /** Returns whether a force has failed in this life of the node. */
  boolean hasFailed() {
    return opened != null && opened.failure != null;
  }

  /** Runs a step in the middle of the next force: the node's power fails. */
  void atNextForce(Runnable step) {
    atNextForce = step;
  }

  /** Forces end no more until {@link #calm}. */
  void stall() {
    isStalled = true;
  }

  /** Forces take {@code times} times as long from now on. */
  void slow(long times) {
    slowness = times;
  }

  /**
   * Forces go on, at their usual pace; after this call no further force fails, and the power does
   * not fail in the force under way.
   */
  void calm() {
    calms++;
    slowness = 1;
    failsNext = false;
    atNextForce = null;
    isStalled = false;
    if (opened != null && opened.isHeld) {
      opened.onForced();
    }
  }

  /** Returns the first bytes of the log, for a value that looks like a part of a log. */
  byte[] copy(int most) {
    byte[] bytes = log.toByteArray();
    return Arrays.copyOf(bytes, Math.min(most, bytes.length));
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

  /** A record or a checkpoint to write, and the future of its caller. */
  private record Waiting(
      @Nullable JournalRecord entry, @Nullable Checkpoint written, CompletableFuture<Void> done) {}

  private final class Opened implements Journal {
    private final SimNode node;
    private final int life;
    private final Recovered recovered;
    private List<Waiting> waiting = new ArrayList<>();
    private List<Waiting> forcing = List.of();
    private boolean isHeld;
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
    public void note(JournalRecord entry) {
      if (failure == null) {
        waiting.add(new Waiting(entry, null, new CompletableFuture<>()));
      }
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
      long nowNs = run.simulation().nowNs();
      long tookNs = forceNs;
      if (forceNs != USUAL_FORCE_NS || slowness > 1) {
        tookNs = slowness * (forceNs / 2 + draws.exponentialNs(draw, 2, forceNs / 2));
      }
      Runnable step = atNextForce;
      if (step != null) {
        atNextForce = null;
        int before = calms;
        Runnable unlessCalm = () -> inLife(() -> runIf(calms == before, step));
        run.simulation().at(nowNs + (long) (tookNs * draws.unit(draw, 3)), unlessCalm);
      }
      draw++;
      run.simulation().at(nowNs + tookNs, this::onForced);
    }

    private static void runIf(boolean isWanted, Runnable step) {
      if (isWanted) {
        step.run();
      }
    }

    private void inLife(Runnable step) {
      if (node.isUp() && node.incarnation() == life) {
        step.run();
      }
    }

    /** The completions run turns of the replica: in the time of its node. */
    private void onForced() {
      inLife(
          () -> {
            try {
              node.call(
                  () -> {
                    endForce();
                    return true;
                  });
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }

    private void endForce() {
      isHeld = isStalled;
      if (isHeld) {
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
      batch.forEach(this::tellForced);
      batch.forEach(each -> each.done.complete(null));
      if (forcing.isEmpty() && !waiting.isEmpty()) {
        force();
      }
    }

    private void tellForced(Waiting what) {
      if (invariants != null && what.entry != null) {
        invariants.onForced(number, what.entry);
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
      isHeld = false;
      if (!forcing.isEmpty()) {
        tear(forcing);
        forcing = List.of();
      }
    }

    /**
     * Writes a number of whole steps of the interrupted force, and perhaps a part of the next step.
     */
    private void tear(List<Waiting> batch) {
      int whole = (int) draws.below(draw, 0, steps(batch) + 1);
      write(batch, whole, draws.unit(draw, 1));
      draw++;
    }

    /** The records of a frame are one step, and a checkpoint is a step. */
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
          byte[] bytes = bytes(Frames.encode(records, salt(), log.size()));
          if (i < whole) {
            log.writeBytes(bytes);
          } else {
            writePart(bytes, partOfNext);
          }
        } else if (i < whole) {
          checkpoint = Optional.of(written);
          beginLog();
        }
      }
    }

    /** Writes a first part; or the disk has written the last sectors, and left a hole before. */
    private void writePart(byte[] bytes, double part) {
      int cut = (int) (bytes.length * part);
      if (draws.below(draw, 4, 3) == 0) {
        Arrays.fill(bytes, cut / 2, cut, (byte) 0);
        log.writeBytes(bytes);
      } else {
        log.write(bytes, 0, cut);
      }
    }

    @Override
    public void close() {
      // The simulation forgets the journal with its node's life.
    }
  }
}
