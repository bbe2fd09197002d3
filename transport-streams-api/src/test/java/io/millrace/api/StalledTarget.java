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
 * A target that takes a part of the known bytes, and no more until released: the target reports
 * full, or blocks its thread.
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
   * Creates a target.
   *
   * @param id the owner of the bytes
   * @param most the number of bytes at which the target is full
   * @param isBlocking whether the full target blocks the writing thread
   */
  StalledTarget(int id, long most, boolean isBlocking) {
    this.id = id;
    this.most = most;
    this.isBlocking = isBlocking;
  }

  /** Releases the target, which then takes all bytes. */
  void letGo() {
    isLetGo = true;
    goingOn.countDown();
    resume.run();
  }

  /** Whether the node offered more bytes than the limit. */
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
