package io.millrace.api.bulk;

import io.millrace.ends.ExecutorLane;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes two targets at the pace of the slower one. An exception of the listener for a dropped
 * cache does not affect the transfer, and goes to the thread's handler of uncaught exceptions. One
 * resume follows each {@link #isReady} with the answer no, if each target keeps this rule.
 */
final class TeeTarget implements BodyTarget {
  private final BodyTarget primary;
  private final TeePolicy policy;
  private final Consumer<? super Exception> onCacheDropped;
  private final boolean isWaiting;
  private final WaitMark engineWait = new WaitMark();

  /** The cache; null once given up. Written by the transfer's thread while no target waits. */
  private volatile @Nullable BodyTarget cache;

  private volatile Runnable resume = () -> {};

  TeeTarget(
      BodyTarget primary,
      BodyTarget cache,
      TeePolicy policy,
      Consumer<? super Exception> onCacheDropped) {
    this.primary = primary;
    this.cache = cache;
    isWaiting = primary.waitsForDevice() || cache.waitsForDevice();
    this.policy = policy;
    this.onCacheDropped = onCacheDropped;
  }

  @Override
  public boolean waitsForDevice() {
    return isWaiting;
  }

  @Override
  public void start(Runnable resume) {
    this.resume = resume;
    primary.start(this::onResume);
    BodyTarget second = cache;
    if (second == null) {
      return;
    }
    try {
      second.start(this::onResume);
    } catch (RuntimeException | Error e) {
      if (policy == TeePolicy.FAIL_BOTH) {
        throw e;
      }
      giveUp(second, e);
    }
  }

  @Override
  public boolean isReady() {
    long wait = engineWait.begin();
    return areBothReady() && engineWait.end(wait);
  }

  private boolean areBothReady() {
    BodyTarget second = cache;
    return primary.isReady() && (second == null || isReady(second));
  }

  /** Whether the cache has room; also true after giving up a failed cache here. */
  private boolean isReady(BodyTarget second) {
    try {
      return second.isReady();
    } catch (RuntimeException | Error e) {
      if (policy == TeePolicy.FAIL_BOTH) {
        throw e;
      }
      giveUp(second, e);
      return true;
    }
  }

  @Override
  public boolean isCancelled() {
    return primary.isCancelled();
  }

  private void onResume() {
    long wait = engineWait.current();
    if (primary.isCancelled()) {
      resume.run();
    } else if (wait != WaitMark.NOT_WAITING && isWorthATurn() && engineWait.end(wait)) {
      resume.run();
    }
  }

  /**
   * Whether the transfer's thread should check again; also true if a target throws, so the
   * transfer's thread gets the exception.
   */
  private boolean isWorthATurn() {
    BodyTarget second = cache;
    try {
      return primary.isReady() && (second == null || second.isReady());
    } catch (RuntimeException | Error e) {
      return true;
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    primary.write(bytes, offset, length);
    BodyTarget second = cache;
    if (second == null) {
      return;
    }
    try {
      second.write(bytes, offset, length);
    } catch (IOException | RuntimeException | Error e) {
      if (policy == TeePolicy.FAIL_BOTH) {
        throw e;
      }
      giveUp(second, e);
    }
  }

  private void giveUp(BodyTarget failed, Throwable thrown) {
    cache = null;
    abort(failed, thrown, thrown);
    drop(thrown);
  }

  @Override
  public void complete() throws IOException {
    BodyTarget second = cache;
    if (second == null) {
      primary.complete();
    } else if (policy == TeePolicy.FAIL_BOTH) {
      // A primary must never be without its cache, so the cache completes first; the listener is
      // told of a cache without its primary.
      completeThen(second, primary);
      completePrimary();
    } else {
      completeThen(primary, second);
      completeCache(second);
    }
  }

  private void completePrimary() throws IOException {
    try {
      primary.complete();
    } catch (IOException | RuntimeException | Error e) {
      tell(e instanceof Exception why ? why : new IOException("the primary failed", e));
      throw e;
    }
  }

  private static void completeThen(BodyTarget first, BodyTarget other) throws IOException {
    try {
      first.complete();
    } catch (IOException | RuntimeException | Error e) {
      abort(other, e, e);
      throw e;
    }
  }

  /** Aborts the other target; an exception of the abort must not hide the first exception. */
  private static void abort(BodyTarget other, Throwable cause, Throwable first) {
    try {
      other.abort(cause);
    } catch (Throwable t) {
      if (t != first) {
        first.addSuppressed(t);
      }
    }
  }

  private void completeCache(BodyTarget second) {
    try {
      second.complete();
    } catch (IOException | RuntimeException | Error e) {
      // the primary is in place: the success of the transfer must stay true
      drop(e);
    }
  }

  private void drop(Throwable why) {
    if (why instanceof Exception e) {
      tell(e);
    } else {
      tell(new IOException("the cache failed", why));
      ExecutorLane.report(why);
    }
  }

  private void tell(Exception why) {
    try {
      onCacheDropped.accept(why);
    } catch (RuntimeException | Error e) { // the transfer goes on, or is complete
      ExecutorLane.report(e);
    }
  }

  @Override
  public Headers receiptHeaders() {
    return primary.receiptHeaders();
  }

  @Override
  public void abort(Throwable cause) {
    BodyTarget second = cache;
    try {
      primary.abort(cause);
    } catch (RuntimeException | Error e) {
      if (second != null) {
        abort(second, cause, e);
      }
      throw e;
    }
    if (second != null) {
      second.abort(cause);
    }
  }
}
