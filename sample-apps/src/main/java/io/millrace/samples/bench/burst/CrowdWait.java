package io.millrace.samples.bench.burst;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Decides what is said while many processes are awaited, and when the wait is given up: after
 * {@link #STALL_SECONDS} in which none of them came further. Time comes in; one thread.
 */
final class CrowdWait {
  /** How long none of the processes may come further. */
  static final long STALL_SECONDS = 120;

  private static final long NOTICE_NS = TimeUnit.SECONDS.toNanos(5);

  private final String goal;
  private final long startNs;
  private long noticedNs;
  private long movedNs;
  private List<Awaited> last = List.of();

  /**
   * A process that has or has not answered.
   *
   * @param process its name
   * @param peers how many peers it holds or calls
   * @param done how many of those are ready
   * @param phase what it does
   * @param hasAnswered whether nothing more is awaited of it
   */
  record Awaited(String process, int peers, int done, String phase, boolean hasAnswered) {
    private int ready() {
      return hasAnswered ? peers : Math.min(done, peers);
    }

    private String text() {
      return process + " (" + phase + ")";
    }
  }

  /**
   * A wait that begins.
   *
   * @param goal what is awaited, as in {@code peers of tcp ready}
   */
  CrowdWait(String goal, long startNs) {
    this.goal = goal;
    this.startNs = startNs;
    noticedNs = startNs;
    movedNs = startNs;
  }

  /** Looks at the processes; a line for the user each 5 s. */
  Optional<String> poll(List<Awaited> processes, long nowNs) {
    if (!processes.equals(last)) {
      last = processes;
      movedNs = nowNs;
    }
    if (nowNs - noticedNs < NOTICE_NS) {
      return Optional.empty();
    }
    noticedNs = nowNs;
    return Optional.of(
        "burst: %d of %d %s after %d s; waits for %s"
            .formatted(
                processes.stream().mapToInt(Awaited::ready).sum(),
                processes.stream().mapToInt(Awaited::peers).sum(),
                goal,
                TimeUnit.NANOSECONDS.toSeconds(nowNs - startNs),
                processes.stream()
                    .filter(process -> !process.hasAnswered())
                    .map(Awaited::text)
                    .collect(Collectors.joining(", "))));
  }

  /** Whether none has come further for too long. */
  boolean isStalled(long nowNs) {
    return nowNs - movedNs >= TimeUnit.SECONDS.toNanos(STALL_SECONDS);
  }
}
