package io.millrace.samples.bench.burst.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The use of a link that changed in the middle of a burst: the carried bits of all packets, as a
 * share of what the link carried at most.
 *
 * @param before from the start of the burst until the change
 * @param meanwhile until the way back
 * @param after until the end of the last transfer
 * @param backNs the time from the way back until the link was first full again for {@link
 *     #FULL_NS}; -1 if this never happened
 */
public record LinkUse(double before, double meanwhile, double after, long backNs) {
  /** A link is full again after this time at {@link #FULL} or more. */
  public static final long FULL_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The used share of a full link. */
  public static final double FULL = 0.95;

  private static final double SECOND_NS = 1e9;

  /**
   * Computes the use from samples of the queue.
   *
   * @param startNs the start of the burst, {@link System#nanoTime}
   * @param endNs the end of the last transfer, after the way back
   */
  public static LinkUse of(List<QueueSample> samples, LinkChange change, long startNs, long endNs) {
    long rate = change.bitsPerSecond();
    return new LinkUse(
        use(samples, startNs, change.fromNs(), rate),
        use(samples, change.fromNs(), change.untilNs(), change.bitsPerSecondMeanwhile()),
        use(samples, change.untilNs(), endNs, rate),
        backNs(samples, change.untilNs(), endNs, rate));
  }

  private static double use(
      List<QueueSample> samples, long fromNs, long untilNs, long bitsPerSecond) {
    QueueSample from = at(samples, fromNs);
    QueueSample until = at(samples, untilNs);
    long lastedNs = until.atNs() - from.atNs();
    return lastedNs <= 0
        ? 0
        : (until.bytes() - from.bytes()) * Byte.SIZE * SECOND_NS / lastedNs / bitsPerSecond;
  }

  private static long backNs(
      List<QueueSample> samples, long fromNs, long untilNs, long bitsPerSecond) {
    for (QueueSample sample : samples) {
      long endNs = sample.atNs() + FULL_NS;
      if (sample.atNs() >= fromNs
          && endNs <= untilNs
          && use(samples, sample.atNs(), endNs, bitsPerSecond) >= FULL) {
        return sample.atNs() - fromNs;
      }
    }
    return -1;
  }

  /** The last sample up to a time, or the first sample. */
  private static QueueSample at(List<QueueSample> samples, long atNs) {
    QueueSample last = samples.getFirst();
    for (QueueSample sample : samples) {
      if (sample.atNs() > atNs) {
        break;
      }
      last = sample;
    }
    return last;
  }

  /** The fields of the JSON report. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("before", before);
    json.put("meanwhile", meanwhile);
    json.put("after", after);
    json.put("back_ns", backNs);
    return json;
  }
}
