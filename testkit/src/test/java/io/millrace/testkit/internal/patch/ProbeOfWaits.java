package io.millrace.testkit.internal.patch;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls that may wait. Methods that begin with {@code has} find their result and return 1; methods
 * that begin with {@code lacks} would wait. Run as patched.
 */
@SuppressWarnings({"ModifiedButNotUsed", "WaitNotInLoop"}) // each is the call alone
final class ProbeOfWaits {
  private static final CompletableFuture<Integer> DONE = CompletableFuture.completedFuture(1);

  private ProbeOfWaits() {}

  static Object hasJoin() {
    return DONE.join();
  }

  static Object hasJoinByReference() {
    Function<CompletableFuture<Integer>, Integer> join = CompletableFuture::join;
    return join.apply(DONE);
  }

  static Object hasJoinByBoundReference() {
    Supplier<Integer> join = DONE::join;
    return join.get();
  }

  static Object hasGet() throws Exception {
    return DONE.get();
  }

  static Object hasTimedGet() throws Exception {
    return DONE.get(1, TimeUnit.DAYS);
  }

  static Object hasGetOfAnOwnFuture() throws Exception {
    OwnFuture own = new OwnFuture();
    own.complete(1);
    Future<Integer> future = own;
    return future.get();
  }

  static Object hasGetOfATask() throws Exception {
    FutureTask<Integer> task = new FutureTask<>(() -> 1);
    task.run();
    return task.get();
  }

  /** A wait of no time is not a wait. */
  static Object hasNoTime() throws Exception {
    try {
      return new CompletableFuture<Integer>().get(0, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return 1;
    }
  }

  static Object hasLatch() throws Exception {
    CountDownLatch latch = new CountDownLatch(0);
    latch.await();
    return latch.await(1, TimeUnit.DAYS) ? 1 : 0;
  }

  static Object hasPermits() throws Exception {
    Semaphore semaphore = new Semaphore(7);
    semaphore.acquire();
    semaphore.acquire(2);
    semaphore.acquireUninterruptibly();
    semaphore.acquireUninterruptibly(2);
    boolean isLeft = semaphore.tryAcquire(1, TimeUnit.DAYS);
    return isLeft && semaphore.availablePermits() == 0 ? 1 : 0;
  }

  static Object hasLock() throws Exception {
    Lock lock = new ReentrantLock();
    return lock.tryLock(1, TimeUnit.DAYS) ? 1 : 0;
  }

  static Object hasElements() throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
    queue.put(1);
    boolean isTaken = queue.offer(1, 1, TimeUnit.DAYS);
    Integer polled = queue.poll(1, TimeUnit.DAYS);
    Integer taken = queue.take();
    Integer none = queue.poll(0, TimeUnit.DAYS);
    return isTaken && none == null ? polled * taken : 0;
  }

  static Object hasEnds() throws Exception {
    LinkedBlockingDeque<Integer> deque = new LinkedBlockingDeque<>(2);
    deque.putFirst(1);
    deque.putLast(1);
    return deque.takeFirst() * deque.takeLast();
  }

  static Object lacksJoin() {
    return new CompletableFuture<Integer>().join();
  }

  static Object lacksJoinByReference() {
    CompletableFuture<Integer> future = new CompletableFuture<>();
    Supplier<Integer> join = future::join;
    return join.get();
  }

  static Object lacksGet() throws Exception {
    Future<Integer> future = new CompletableFuture<>();
    return future.get();
  }

  static Object lacksTimedGet() throws Exception {
    return new CompletableFuture<Integer>().get(1, TimeUnit.DAYS);
  }

  static Object lacksLatch() throws Exception {
    new CountDownLatch(1).await();
    return 0;
  }

  static Object lacksTimedLatch() throws Exception {
    return new CountDownLatch(1).await(1, TimeUnit.DAYS);
  }

  static Object lacksPermit() throws Exception {
    new Semaphore(1).acquire(2);
    return 0;
  }

  static Object lacksTimedPermit() throws Exception {
    return new Semaphore(0).tryAcquire(1, TimeUnit.DAYS);
  }

  static Object lacksElement() throws Exception {
    return new LinkedBlockingQueue<Integer>().take();
  }

  static Object lacksTimedElement() throws Exception {
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    return queue.poll(1, TimeUnit.DAYS);
  }

  static Object lacksRoom() throws Exception {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
    queue.put(1);
    queue.put(2);
    return 0;
  }

  static Object lacksEnd() throws Exception {
    return new LinkedBlockingDeque<Integer>().takeLast();
  }

  static Object lacksNotice() throws Exception {
    Object monitor = new Object();
    synchronized (monitor) {
      monitor.wait();
    }
    return 0;
  }

  static Object lacksCondition() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    lock.newCondition().await();
    return 0;
  }

  /** Calls the method of its superclass; this call must stay. */
  static final class OwnFuture extends CompletableFuture<Integer> {
    @Override
    public Integer get() throws InterruptedException, ExecutionException {
      return super.get();
    }
  }
}
