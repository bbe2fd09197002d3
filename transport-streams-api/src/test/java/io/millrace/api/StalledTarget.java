package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.transfer.BodyTarget;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes some of the bytes that it knows, and no more before it is let go: it says that it is full,
 * or does not return.
 */
final class StalledTarget implements BodyTarget {
  private final int id;
  private final long most;
  private final boolean isBlocking;
  private final CountDownLatch goingOn = new CountDownLatch(1);
  private final AtomicLong position = new AtomicLong();
  private final Queue<String> ends = new ConcurrentLinkedQueue<>();
  private volatile boolean isRight = true;
  private volatile boolean isLetGo;
  private volatile boolean wasFull;
  private volatile Runnable resume = () -> {};

  /**
   * A target.
   *
   * @param id whose bytes they are
   * @param most at how many it is full
   * @param isBlocking whether it then keeps the thread that gives it more
   */
  StalledTarget(int id, long most, boolean isBlocking) {
    this.id = id;
    this.most = most;
    this.isBlocking = isBlocking;
  }

  /** It takes all that comes. */
  void letGo() {
    isLetGo = true;
    goingOn.countDown();
    resume.run();
  }

  /** Whether it was offered more than it takes. */
  boolean wasFull() {
    return wasFull;
  }

  void assertWhole(long bytes) {
    assertEquals(bytes, position.get(), "bytes of body " + id);
    assertTrue(isRight, "every byte of body " + id);
    assertEquals(List.of("complete"), List.copyOf(ends), "end of body " + id);
  }

  @Override
  public void start(Runnable whenReady) {
    resume = whenReady;
  }

  @Override
  public boolean isReady() {
    if (isBlocking || isLetGo || position.get() < most) {
      return true;
    }
    wasFull = true;
    return isLetGo;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isBlocking && position.get() >= most) {
      block();
    }
    if (!KnownBytes.matches(id, position.get(), bytes, offset, length)) {
      isRight = false;
    }
    position.addAndGet(length);
  }

  private void block() throws IOException {
    wasFull = true;
    try {
      goingOn.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void complete() {
    ends.add("complete");
  }

  @Override
  public void abort(Throwable cause) {
    ends.add("abort");
  }
}
