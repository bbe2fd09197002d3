package io.millrace.testkit.internal.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Surroundings with values from a test, and a thread with these surroundings. */
final class FixedSurroundings implements Surroundings {
  static final UUID ID = new UUID(1, 2);

  final List<Runnable> executed = new ArrayList<>();
  final List<String> refused = new ArrayList<>();
  private final Random random;
  private long nowNs;
  private long seed;

  FixedSurroundings(long nowNs, long seed) {
    this.nowNs = nowNs;
    this.seed = seed;
    random = new Random(seed);
  }

  void advance(long ns) {
    nowNs += ns;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public long currentTimeMillis() {
    return nowNs / 1_000_000;
  }

  @Override
  public Random random() {
    return random;
  }

  @Override
  public long seed() {
    return seed++;
  }

  @Override
  public UUID uuid() {
    return ID;
  }

  @Override
  public Executor defaultExecutor() {
    return executed::add;
  }

  @Override
  public void onRefused(NotSimulatedException refusal) {
    refused.add(String.valueOf(refusal.getMessage()));
  }

  /** Runs the body on a thread with these surroundings. */
  <T> T call(Callable<T> body) throws Exception {
    FutureTask<T> task = new FutureTask<>(body);
    Thread thread = new SurroundedThread(task, this);
    thread.start();
    thread.join();
    return task.get();
  }

  private static final class SurroundedThread extends Thread implements Surrounded {
    private final Surroundings surroundings;

    SurroundedThread(Runnable body, Surroundings surroundings) {
      super(body, "surrounded");
      this.surroundings = surroundings;
    }

    @Override
    public @Nullable Surroundings surroundings() {
      return surroundings;
    }
  }
}
