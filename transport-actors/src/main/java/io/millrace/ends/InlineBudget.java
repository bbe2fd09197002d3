package io.millrace.ends;

import io.millrace.config.LimitSettings;
import io.millrace.protocol.congestion.ReceiveBudget;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Shares the inline bytes of a node among its paths. Of the bytes left, the least window of every
 * future path is set aside; from the rest each path gets a part on top of its own least window, at
 * most {@code millrace.limits.inline-credit} in all. So the first peers get much, and {@code
 * millrace.limits.peers} peers get enough. Any thread; control plane.
 */
public final class InlineBudget {
  /**
   * A window holds some messages of the largest size, or credit could never suffice for a message.
   */
  private static final int LEAST_MESSAGES = 4;

  /** Both sides may begin a handshake at the same time. */
  private static final int PATHS_PER_PEER = 2;

  private static final int PART_OF_REST = 16;

  /** With a bounded link: an eighth of the bound is for the bases of all peers. */
  private static final int BASES_PART = 8;

  /** Credit for a single small message. */
  private static final long LEAST_BASE_BYTES = 192;

  private final long mostBytes;
  private final long leastBytes;
  private final long baseBytes;
  private final AtomicReference<Shares> shares;

  /**
   * The bytes not given to paths.
   *
   * @param leftBytes bytes
   * @param pathsToCome future paths that must still get the least window
   */
  private record Shares(long leftBytes, long pathsToCome) {}

  /** The whole budget of the settings, where nothing is known of the link. */
  public InlineBudget(LimitSettings limits, int maxDatagramBytes) {
    this(limits, maxDatagramBytes, new ReceiveBudget(0, 0));
  }

  /**
   * The whole budget of the settings.
   *
   * @param link the bytes that may be on their way to the whole node
   */
  public InlineBudget(LimitSettings limits, int maxDatagramBytes, ReceiveBudget link) {
    leastBytes = leastWindowBytes(maxDatagramBytes);
    baseBytes =
        link.isBounded()
            ? Math.clamp(
                link.limitBytes() / BASES_PART / limits.peers(), LEAST_BASE_BYTES, leastBytes)
            : leastBytes;
    mostBytes = limits.inlineCreditBytes();
    shares =
        new AtomicReference<>(
            new Shares(limits.inlineBudgetBytes(), (long) PATHS_PER_PEER * limits.peers()));
  }

  /** The least window of a path whose datagrams may have this many bytes. */
  public static long leastWindowBytes(int maxDatagramBytes) {
    return (long) LEAST_MESSAGES * maxDatagramBytes;
  }

  /** The budget that this number of peers need. */
  public static long leastBudgetBytes(int peers, int maxDatagramBytes) {
    return leastWindowBytes(maxDatagramBytes) * PATHS_PER_PEER * peers;
  }

  /**
   * The window that every path begins with. The window may be promised without taking anything: the
   * promise holds once {@link #take} has given a window.
   */
  public long initialBytes() {
    return baseBytes;
  }

  /** Bytes that no path has. */
  public long leftBytes() {
    return shares.get().leftBytes();
  }

  /** Whether {@link #take} would give a window now. */
  public boolean hasRoom() {
    return shares.get().leftBytes() >= leastBytes;
  }

  /** The window of a path that opens now, or 0 without room for another path. */
  public long take() {
    while (true) {
      Shares before = shares.get();
      if (before.leftBytes() < leastBytes) {
        return 0;
      }
      long setAside = Math.max(1, before.pathsToCome()) * leastBytes;
      long rest = Math.max(0, before.leftBytes() - setAside);
      long window = leastBytes + Math.min(mostBytes - leastBytes, rest / PART_OF_REST);
      Shares after = new Shares(before.leftBytes() - window, before.pathsToCome() - 1);
      if (shares.compareAndSet(before, after)) {
        return window;
      }
    }
  }

  /** A path with this window has ended; a refused path has no window. */
  public void giveBack(long windowBytes) {
    if (windowBytes > 0) {
      shares.updateAndGet(
          before -> new Shares(before.leftBytes() + windowBytes, before.pathsToCome() + 1));
    }
  }
}
