package io.millrace.samples.bench.burst;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Decides on the progress messages while many processes are awaited, and on giving up the wait:
 * after {@link #STALL_SECONDS} without progress of any process. The caller passes the time in; one
 * thread.
 */
final class CrowdWait {
  /** The longest time without progress of any process. */
  static final long STALL_SECONDS = 120;

  private static final long NOTICE_NS = TimeUnit.SECONDS.toNanos(5);

  private final String goal;
  private final long startNs;
  private long noticedNs;
  private long movedNs;
  private List<Awaited> last = List.of();

  /**
   * A process, before or after the answer.
   *
   * @param process the name of the process
   * @param peers the number of peers that the process holds or calls
   * @param done the number of ready peers among these
   * @param phase the present activity of the process
   * @param hasAnswered whether the answer of the process has arrived
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
   * @param goal the goal of the wait, as in {@code peers of tcp ready}
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

  /** Whether no process has made progress for {@link #STALL_SECONDS}. */
  boolean isStalled(long nowNs) {
    return nowNs - movedNs >= TimeUnit.SECONDS.toNanos(STALL_SECONDS);
  }
}
