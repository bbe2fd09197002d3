package io.millrace.samples.log.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Many sessions that put values; a session sends its next operation when the last operation is
 * committed. Any thread.
 */
final class CommitLoad {
  private static final double NS_PER_S = 1e9;
  private static final long LONGEST_NS = 60_000_000_000L;
  private static final long LAST_ANSWERS_SECONDS = 30;

  private final RunningLog log;
  private final int outstanding;
  private final byte[] value;
  private final Histogram latency = new ConcurrentHistogram(LONGEST_NS, 3);
  private final LongAdder failures = new LongAdder();
  private final AtomicBoolean isMeasuring = new AtomicBoolean();
  private final AtomicBoolean isStopped = new AtomicBoolean();

  /**
   * One operation of each session is under way at any time.
   *
   * @param outstanding the number of sessions
   */
  CommitLoad(RunningLog log, int outstanding, int valueBytes) {
    this.log = log;
    this.outstanding = outstanding;
    value = new byte[valueBytes];
  }

  /**
   * Runs the load. A session with a failed operation sends no more operations.
   *
   * @param warmSeconds the time before anything is counted
   * @throws IOException if every session has failed, or the last answers do not come
   */
  LogBenchRow run(String name, int replicas, long warmSeconds, long seconds)
      throws IOException, InterruptedException {
    log.openSessions(outstanding);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < outstanding; i++) {
      CompletableFuture<Void> last = new CompletableFuture<>();
      ends.add(last);
      next(i, ("key-" + i).getBytes(UTF_8), last);
    }
    CompletableFuture<Void> end = CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    try {
      pass(end, warmSeconds);
      ProcessHandle leader = log.leader();
      Duration before = processorTime(leader);
      isMeasuring.set(true);
      long startNs = System.nanoTime();
      pass(end, seconds);
      isMeasuring.set(false);
      double measured = (System.nanoTime() - startNs) / NS_PER_S;
      Duration spent = processorTime(leader).minus(before);
      isStopped.set(true);
      end.get(LAST_ANSWERS_SECONDS, TimeUnit.SECONDS);
      boolean isSameLeader = leader.pid() == log.leader().pid();
      long commits = latency.getTotalCount();
      return new LogBenchRow(
          name,
          replicas,
          outstanding,
          commits / measured,
          latency.getValueAtPercentile(50),
          latency.getValueAtPercentile(99),
          isSameLeader && commits > 0 ? spent.toNanos() / commits : LogBenchRow.UNKNOWN,
          failures.sum());
    } catch (ExecutionException e) {
      throw new IOException("the load has failed", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("no last answers within " + LAST_ANSWERS_SECONDS + " s", e);
    } finally {
      isStopped.set(true);
    }
  }

  /** Lets time pass; the load goes on until a stop. */
  private static void pass(CompletableFuture<Void> end, long seconds)
      throws IOException, InterruptedException, ExecutionException {
    try {
      end.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return;
    }
    throw new IOException("every session has failed");
  }

  private static Duration processorTime(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  private void next(int session, byte[] key, CompletableFuture<Void> end) {
    if (isStopped.get()) {
      end.complete(null);
      return;
    }
    long startNs = System.nanoTime();
    var _ =
        log.put(session, key, value)
            .whenComplete(
                (_, failure) -> {
                  if (failure != null) {
                    failures.increment();
                    end.complete(null);
                    return;
                  }
                  if (isMeasuring.get()) {
                    latency.recordValue(Math.min(LONGEST_NS, System.nanoTime() - startNs));
                  }
                  next(session, key, end);
                });
  }
}
