package io.millrace.testkit.internal.patch;

import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives calls that may wait: each method stands for the method of the same name of its first
 * argument. In a simulation the method does the same if no wait is necessary, and fails otherwise,
 * because the awaited code runs on the thread that would wait. A wait of no time at all is not a
 * wait. Public because rewritten classes call this class; not for use in sources.
 *
 * <p>Each method throws {@link NotSimulatedException} where the call would have to wait.
 */
public final class SimulatedWaits {
  private SimulatedWaits() {}

  private static boolean isSimulated() {
    return SimulatedCalls.surroundings() != null;
  }

  private static void require(boolean needsNoWait, Object receiver, String method) {
    if (!needsNoWait) {
      SimulatedCalls.refuse(receiver.getClass().getName() + "." + method, CallKind.BLOCK.instead());
    }
  }

  private static <T> T present(@Nullable T found, Object receiver, String method) {
    if (found == null) {
      String call = receiver.getClass().getName() + "." + method;
      throw SimulatedCalls.refusal(call, CallKind.BLOCK.instead());
    }
    return found;
  }

  /**
   * Makes a call that may wait and cannot be asked before. In a simulation the thread is
   * interrupted meanwhile, so that the call returns a present result, and a wait ends at once.
   *
   * @param call description of the call, for people
   */
  public static <T> T attempt(Supplier<T> wait, String call) {
    if (!isSimulated()) {
      return wait.get();
    }
    boolean wasInterrupted = Thread.interrupted();
    Thread.currentThread().interrupt();
    try {
      return wait.get();
    } catch (Exception e) {
      if (e instanceof InterruptedException) { // from Scala, which declares no exceptions
        throw SimulatedCalls.refusal(call, CallKind.BLOCK.instead());
      }
      throw e;
    } finally {
      var _ = Thread.interrupted();
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** {@link CompletableFuture#join}. */
  public static <T> T join(CompletableFuture<T> future) {
    require(!isSimulated() || future.isDone(), future, "join");
    return future.join();
  }

  /** {@link Future#get()}. */
  public static <T> T get(Future<T> future) throws InterruptedException, ExecutionException {
    if (!isSimulated()) {
      return future.get();
    }
    require(future.isDone(), future, "get");
    return result(future);
  }

  /** {@link Future#get(long, TimeUnit)}. */
  public static <T> T get(Future<T> future, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!isSimulated()) {
      return future.get(timeout, unit);
    }
    require(timeout <= 0 || future.isDone(), future, "get");
    if (future.isDone()) {
      return result(future);
    }
    throw new TimeoutException();
  }

  /**
   * Reads the result of a done future without {@code get}, because {@code get} tells Scala's
   * futures that a thread waits.
   */
  private static <T> T result(Future<T> done) throws ExecutionException {
    return switch (done.state()) {
      case SUCCESS -> done.resultNow();
      case CANCELLED -> throw new CancellationException();
      default -> throw new ExecutionException(done.exceptionNow());
    };
  }

  /** {@link CountDownLatch#await()}. */
  public static void await(CountDownLatch latch) throws InterruptedException {
    require(!isSimulated() || latch.getCount() == 0, latch, "await");
    latch.await();
  }

  /** {@link CountDownLatch#await(long, TimeUnit)}. */
  public static boolean await(CountDownLatch latch, long timeout, TimeUnit unit)
      throws InterruptedException {
    require(!isSimulated() || timeout <= 0 || latch.getCount() == 0, latch, "await");
    return latch.await(timeout, unit);
  }

  /** {@link ExecutorService#awaitTermination}. */
  public static boolean awaitTermination(ExecutorService executor, long timeout, TimeUnit unit)
      throws InterruptedException {
    boolean needsNoWait =
        !isSimulated()
            || timeout <= 0
            || executor instanceof SimulatedExecutor
            || executor.isTerminated();
    require(needsNoWait, executor, "awaitTermination");
    return executor.awaitTermination(timeout, unit);
  }

  /** {@link Semaphore#acquire()}. */
  public static void acquire(Semaphore semaphore) throws InterruptedException {
    acquire(semaphore, 1);
  }

  /** {@link Semaphore#acquire(int)}. */
  public static void acquire(Semaphore semaphore, int permits) throws InterruptedException {
    require(!isSimulated() || semaphore.availablePermits() >= permits, semaphore, "acquire");
    semaphore.acquire(permits);
  }

  /** {@link Semaphore#acquireUninterruptibly()}. */
  public static void acquireUninterruptibly(Semaphore semaphore) {
    acquireUninterruptibly(semaphore, 1);
  }

  /** {@link Semaphore#acquireUninterruptibly(int)}. */
  public static void acquireUninterruptibly(Semaphore semaphore, int permits) {
    boolean needsNoWait = !isSimulated() || semaphore.availablePermits() >= permits;
    require(needsNoWait, semaphore, "acquireUninterruptibly");
    semaphore.acquireUninterruptibly(permits);
  }

  /** {@link Semaphore#tryAcquire(long, TimeUnit)}. */
  public static boolean tryAcquire(Semaphore semaphore, long timeout, TimeUnit unit)
      throws InterruptedException {
    return tryAcquire(semaphore, 1, timeout, unit);
  }

  /** {@link Semaphore#tryAcquire(int, long, TimeUnit)}. */
  public static boolean tryAcquire(Semaphore semaphore, int permits, long timeout, TimeUnit unit)
      throws InterruptedException {
    boolean needsNoWait = !isSimulated() || timeout <= 0 || semaphore.availablePermits() >= permits;
    require(needsNoWait, semaphore, "tryAcquire");
    return semaphore.tryAcquire(permits, timeout, unit);
  }

  /** {@link Lock#tryLock(long, TimeUnit)}. */
  public static boolean tryLock(Lock lock, long timeout, TimeUnit unit)
      throws InterruptedException {
    if (!isSimulated()) {
      return lock.tryLock(timeout, unit);
    }
    boolean isLocked = lock.tryLock();
    require(isLocked || timeout <= 0, lock, "tryLock");
    return isLocked;
  }

  /** {@link BlockingQueue#take}. */
  public static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    return isSimulated() ? present(queue.poll(), queue, "take") : queue.take();
  }

  /** {@link BlockingQueue#put}. */
  public static <T> void put(BlockingQueue<T> queue, T element) throws InterruptedException {
    if (isSimulated()) {
      require(queue.offer(element), queue, "put");
    } else {
      queue.put(element);
    }
  }

  /** {@link BlockingQueue#poll(long, TimeUnit)}. */
  public static <T> @Nullable T poll(BlockingQueue<T> queue, long timeout, TimeUnit unit)
      throws InterruptedException {
    if (!isSimulated()) {
      return queue.poll(timeout, unit);
    }
    T found = queue.poll();
    return timeout <= 0 ? found : present(found, queue, "poll");
  }

  /** {@link BlockingQueue#offer(Object, long, TimeUnit)}. */
  public static <T> boolean offer(BlockingQueue<T> queue, T element, long timeout, TimeUnit unit)
      throws InterruptedException {
    if (!isSimulated()) {
      return queue.offer(element, timeout, unit);
    }
    boolean isTaken = queue.offer(element);
    require(isTaken || timeout <= 0, queue, "offer");
    return isTaken;
  }

  /** {@link BlockingDeque#takeFirst}. */
  public static <T> T takeFirst(BlockingDeque<T> deque) throws InterruptedException {
    return isSimulated() ? present(deque.pollFirst(), deque, "takeFirst") : deque.takeFirst();
  }

  /** {@link BlockingDeque#takeLast}. */
  public static <T> T takeLast(BlockingDeque<T> deque) throws InterruptedException {
    return isSimulated() ? present(deque.pollLast(), deque, "takeLast") : deque.takeLast();
  }

  /** {@link BlockingDeque#putFirst}. */
  public static <T> void putFirst(BlockingDeque<T> deque, T element) throws InterruptedException {
    if (isSimulated()) {
      require(deque.offerFirst(element), deque, "putFirst");
    } else {
      deque.putFirst(element);
    }
  }

  /** {@link BlockingDeque#putLast}. */
  public static <T> void putLast(BlockingDeque<T> deque, T element) throws InterruptedException {
    if (isSimulated()) {
      require(deque.offerLast(element), deque, "putLast");
    } else {
      deque.putLast(element);
    }
  }
}
