package io.millrace.ends;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The rate at which a budget drains, as seen at the moments when somebody asks: the mean of the
 * rate since the last moment and of the rates before. A budget that nobody asked about for a while
 * has no rate. Any thread; time comes from the asking thread. Allocates when asked.
 */
final class DrainRate {
  /** A shorter time says little about the rate. */
  private static final long SHORTEST_NS = 1_000_000;

  /** The rate of a time so long ago says nothing about now. */
  private static final long LONGEST_NS = 2_000_000_000;

  private static final long MS_NS = 1_000_000;
  private static final int MOST_MS = 60_000;

  private final AtomicReference<@Nullable Sample> last = new AtomicReference<>();

  /**
   * The drained bytes at a moment.
   *
   * @param atNs the moment
   * @param drained all bytes drained until then
   * @param bytesPerNs the rate until then; 0 if unknown
   */
  private record Sample(long atNs, long drained, double bytesPerNs) {
    private Sample next(long drainedNow, long nowNs) {
      double seen = (drainedNow - drained) / (double) (nowNs - atNs);
      return new Sample(nowNs, drainedNow, bytesPerNs == 0 ? seen : (bytesPerNs + seen) / 2);
    }
  }

  /**
   * The time in which so many bytes drain.
   *
   * @param drained all bytes drained so far
   * @return ms, 1 to a minute; 0 if the rate is not known
   */
  int timeMs(long bytes, long drained, long nowNs) {
    Sample known = last.get();
    long sinceNs = known == null ? 0 : nowNs - known.atNs();
    if (known == null || sinceNs > LONGEST_NS) {
      last.compareAndSet(known, new Sample(nowNs, drained, 0));
      return 0;
    }
    if (sinceNs >= SHORTEST_NS) {
      Sample next = known.next(drained, nowNs);
      last.compareAndSet(known, next);
      known = next;
    }
    if (known.bytesPerNs() <= 0) {
      return 0;
    }
    double ms = bytes / known.bytesPerNs() / MS_NS;
    return (int) Math.clamp(Math.ceil(ms), 1, MOST_MS);
  }
}
