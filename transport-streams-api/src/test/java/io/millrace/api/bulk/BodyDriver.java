package io.millrace.api.bulk;

import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Plays the engine between a source and a target: reads records of any size up to 64 KiB, writes
 * them, hops between threads at random, parks on demand, and checks the contract of both sides: one
 * resume for each answer no.
 */
final class BodyDriver {
  private static final int MOST_RECORD_BYTES = 64 * 1024;
  private static final int MOST_STEPS_A_TURN = 8;
  private static final int LONGEST_S = 60;

  private final BodySource source;
  private final BodyTarget target;
  private final Executor executor;
  private final Random random;
  private final byte[] record = new byte[MOST_RECORD_BYTES];
  private final Parking sourceParking = new Parking();
  private final Parking targetParking = new Parking();
  private final CompletableFuture<Long> done = new CompletableFuture<>();
  private long movedBytes;

  private BodyDriver(BodySource source, BodyTarget target, Executor executor, long seed) {
    this.source = source;
    this.target = target;
    this.executor = executor;
    random = new Random(seed);
  }

  /** Starts a transfer; the future has the number of bytes, or the failure given to the target. */
  static CompletableFuture<Long> start(
      BodySource source, BodyTarget target, Executor executor, long seed) {
    BodyDriver driver = new BodyDriver(source, target, executor, seed);
    source.start(driver.sourceParking::onResume);
    target.start(driver.targetParking::onResume);
    executor.execute(driver::turn);
    return driver.done;
  }

  /** Runs a transfer on this thread and others to its end. */
  static long run(BodySource source, BodyTarget target, long seed) throws IOException {
    return await(start(source, target, Runnable::run, seed));
  }

  static long await(CompletableFuture<Long> transfer) throws IOException {
    try {
      return transfer.get(LONGEST_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new AssertionError("the transfer died", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("the transfer hangs", e);
    }
  }

  private void turn() {
    try {
      int steps = 1 + random.nextInt(MOST_STEPS_A_TURN);
      while (steps-- > 0) {
        if (!step()) {
          return;
        }
      }
      executor.execute(this::turn);
    } catch (IOException | RuntimeException | AssertionError e) {
      source.close();
      target.abort(e);
      done.completeExceptionally(e);
    }
  }

  /** Moves one record; returns false when parked or finished. */
  private boolean step() throws IOException {
    if (!target.isReady()) {
      return targetParking.isPassed();
    }
    int count = source.read(record, 0, 1 + random.nextInt(MOST_RECORD_BYTES));
    if (count == 0) {
      return sourceParking.isPassed();
    }
    if (count < 0) {
      source.close();
      finish();
      return false;
    }
    target.write(record, 0, count);
    movedBytes += count;
    return true;
  }

  private void finish() {
    try {
      target.complete();
    } catch (IOException | RuntimeException e) {
      done.completeExceptionally(e);
      return;
    }
    if (sourceParking.resumes.get() != 0 || targetParking.resumes.get() != 0) {
      done.completeExceptionally(new AssertionError("a resume that nobody waited for"));
    }
    done.complete(movedBytes);
  }

  /** Counts the arrived resumes minus the awaited resumes. */
  private final class Parking {
    final AtomicInteger resumes = new AtomicInteger();

    /** Whether the resume has come already; otherwise the later resume starts the next turn. */
    boolean isPassed() {
      return resumes.getAndDecrement() > 0;
    }

    void onResume() {
      if (resumes.getAndIncrement() < 0) {
        executor.execute(BodyDriver.this::turn);
      }
    }
  }
}
