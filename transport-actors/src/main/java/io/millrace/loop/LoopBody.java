package io.millrace.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A turn of a worker, the same in production and in simulation: mailbox tasks, bounded, then each
 * duty cycle once.
 *
 * <p>A driver calls {@link #enter()}, then {@link #runTurn()} any number of times, then {@link
 * #exit()}, one thread at a time; {@link #finish()} ends the loop. A task or a cycle that throws
 * never ends the loop. Submission and counters are for any thread. A turn allocates nothing and
 * takes no lock.
 */
public final class LoopBody implements EventLoop, WatchedLoop {
  /** The phases of a loop's life, in order; compared by number. */
  private static final int OPEN = 0;

  /** Nothing new is accepted; the loop does not know yet. */
  private static final int CLOSING = 1;

  /** The loop runs the tasks accepted before. */
  private static final int DRAINING = 2;

  private static final int CLOSED = 3;

  private static final VarHandle PHASE;
  private static final VarHandle DRIVER;
  private static final VarHandle DRIVER_ID;

  static {
    try {
      PHASE = MethodHandles.lookup().findVarHandle(LoopBody.class, "phase", int.class);
      DRIVER = MethodHandles.lookup().findVarHandle(LoopBody.class, "driver", Thread.class);
      DRIVER_ID = MethodHandles.lookup().findVarHandle(LoopBody.class, "driverId", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * For threads that are no carriers: the loop which the thread entered last. The value stays when
   * the thread leaves, so that a thread which enters the same loop turn by turn finds the value
   * set; a reader must ask the loop.
   */
  private static final ThreadLocal<@Nullable LoopBody> ENTERED = new ThreadLocal<>();

  private final String name;
  private final int tasksPerTurn;
  private final NanoClock clock;
  private final LoopWaker waker;
  private final FailureReporter failures;
  private final LoopCounters counters = new LoopCounters();
  private final TaskQueue tasks;
  private final DutyCycles cycles;
  private volatile int phase = OPEN;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Pinning pinning = Pinning.NOT_REQUESTED;

  /**
   * Plain on purpose: a thread only compares the field with itself, and sees its own writes. A
   * watchdog reads the field, too, over and over; late values do no harm.
   */
  private @Nullable Thread driver;

  /** The thread with the number {@link #driverId}, and the number; as plain as the driver. */
  private @Nullable Thread numbered;

  @SuppressWarnings("UnusedVariable") // DRIVER_ID reads the field
  private long driverId;

  /** The loop whose turn the driver was in when the driver entered this loop, or null. */
  private @Nullable LoopBody outer;

  /**
   * An open loop without a driver.
   *
   * @param clock the clock whose time the duty cycles get
   * @param waker told of each submission by another thread
   * @param failures told of exceptions that escape tasks, and cycles' failure handlers
   */
  public LoopBody(
      String name,
      LoopLimits limits,
      NanoClock clock,
      LoopWaker waker,
      Thread.UncaughtExceptionHandler failures) {
    this.name = name;
    this.tasksPerTurn = limits.tasksPerTurn();
    this.clock = clock;
    this.waker = waker;
    this.failures = new FailureReporter(failures);
    this.tasks = new TaskQueue(limits.taskQueueCapacity(), counters);
    this.cycles = new DutyCycles(counters, this.failures);
  }

  /** The loop that the calling thread entered, if the thread is still in this loop. */
  static @Nullable EventLoop drivenByCaller() {
    LoopBody loop = ENTERED.get();
    return loop != null && loop.inLoop() ? loop : null;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LoopCounters counters() {
    return counters;
  }

  @Override
  public Pinning pinning() {
    return pinning;
  }

  @Override
  public long nowNs() {
    return clock.nanoTime();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  public boolean inLoop() {
    return driver == Thread.currentThread();
  }

  @Override
  public void wakeUp() {
    waker.wakeUp();
  }

  @Override
  public void execute(Runnable task) {
    if (task == null) {
      throw new NullPointerException("task");
    }
    if (phase != OPEN) {
      throw rejection("it is closing");
    }
    if (inLoop()) {
      if (!tasks.offerOwn(task)) {
        throw rejection("too many tasks wait");
      }
      return;
    }
    if (!tasks.offer(task)) {
      throw rejection("too many tasks wait");
    }
    // If the loop was not yet draining at this look, the draining finds the task.
    if (phase >= DRAINING && tasks.withdraw(task)) {
      throw rejection("it is closing");
    }
    waker.wakeUp();
  }

  @Override
  public void register(DutyCycle cycle) {
    requireInLoop();
    if (phase != OPEN) {
      throw new IllegalStateException("loop " + name + " is closing");
    }
    if (cycles.contains(cycle)) {
      throw new IllegalStateException("registered already on loop " + name + ": " + cycle);
    }
    cycles.add(cycle);
  }

  @Override
  public void unregister(DutyCycle cycle) {
    requireInLoop();
    cycles.remove(cycle);
  }

  @Override
  public long progress() {
    return counters.iterations() + counters.tasks();
  }

  @Override
  public @Nullable Thread runner() {
    Thread present = (Thread) DRIVER.getOpaque(this);
    boolean isIdle =
        present == null
            || phase == CLOSED
            || LockSupport.getBlocker(present) instanceof Parker; // only BackoffIdle parks there
    return isIdle ? null : present;
  }

  @Override
  public long runnerId() {
    return (long) DRIVER_ID.getOpaque(this);
  }

  /** Tells the result of pinning the loop's thread; once, before the first turn. */
  void onPinning(Pinning outcome) {
    pinning = outcome;
  }

  /** The calling thread drives this loop until {@link #exit()}. One thread at a time. */
  @SuppressWarnings("ReferenceEquality") // a thread equals itself only
  public void enter() {
    assert driver == null : name + " is driven by " + driver;
    driver = Thread.currentThread();
    if (!(driver instanceof Carrier)) {
      tellEntered();
    }
    if (driver != numbered) {
      numbered = driver;
      driverId = KernelThreads.currentId();
    }
  }

  /** The calling thread no longer drives this loop. */
  public void exit() {
    assert inLoop();
    if (outer != null) {
      ENTERED.set(outer);
      outer = null;
    } else if (phase == CLOSED) {
      ENTERED.remove();
    }
    driver = null;
  }

  /**
   * Runs a turn on the calling thread, which must have entered.
   *
   * @return the amount of work; 0 when nothing was to be done
   */
  public int runTurn() {
    assert inLoop() : "loop " + name + " is not driven by " + Thread.currentThread().getName();
    counters.onTurn();
    int work = runTasks();
    return cycles.isEmpty() ? work : work + cycles.run(clock.nanoTime());
  }

  /** Whether a turn would find something to do, deadlines and the network aside. Loop only. */
  public boolean hasWork() {
    return tasks.hasTask() || cycles.hasWork();
  }

  /** The earliest deadline of the duty cycles, or {@link DutyCycle#NO_DEADLINE_NS}. Loop only. */
  public long nextDeadlineNs() {
    return nextDeadlineNs(clock.nanoTime());
  }

  /** As {@link #nextDeadlineNs()}, where the caller has read the clock. */
  long nextDeadlineNs(long nowNs) {
    return cycles.nextDeadlineNs(nowNs);
  }

  /** The descriptors that are readable when something came for the duty cycle; null if unknown. */
  int @Nullable [] arrivalDescriptors() {
    return cycles.arrivalDescriptors();
  }

  /**
   * Refuses new tasks from now on; the loop's driver is to {@link #finish()} the loop. Any thread.
   *
   * @return whether the loop was open until now
   */
  public boolean close() {
    boolean closes = PHASE.compareAndSet(this, OPEN, CLOSING);
    waker.wakeUp();
    return closes;
  }

  /** Whether {@link #close()} was called: time to {@link #finish()}. Any thread. */
  public boolean isClosing() {
    return phase != OPEN;
  }

  /** Whether {@link #finish()} is done. Any thread. */
  public boolean isClosed() {
    return phase == CLOSED;
  }

  /** Runs every task that was accepted, closes the duty cycles, and is closed. Loop only. */
  public void finish() {
    requireInLoop();
    if (phase == CLOSED) {
      return;
    }
    phase = DRAINING;
    runCollected();
    cycles.removeAll();
    runCollected();
    phase = CLOSED;
    closed.countDown();
  }

  /** Waits until {@link #finish()} is done; false when the time is over before. Not on a loop. */
  public boolean awaitClosed(long timeout, TimeUnit unit) throws InterruptedException {
    return closed.await(timeout, unit);
  }

  @Override
  public String toString() {
    return "EventLoop[" + name + "]";
  }

  @SuppressWarnings("ReferenceEquality") // a loop equals itself only
  private void tellEntered() {
    LoopBody last = ENTERED.get();
    if (last != this) {
      outer = last != null && last.inLoop() ? last : null;
      ENTERED.set(this);
    }
  }

  private int runTasks() {
    int count = 0;
    Runnable task;
    while (count < tasksPerTurn && (task = tasks.pollOwn()) != null) {
      run(task);
      count++;
    }
    int foreign = 0;
    while (foreign < tasksPerTurn && (task = tasks.poll()) != null) {
      run(task);
      foreign++;
    }
    count += foreign;
    if (count > 0) {
      counters.onTasks(count);
    }
    return count;
  }

  private void runCollected() {
    tasks.collect();
    Runnable task;
    while ((task = tasks.pollCollected()) != null) {
      run(task);
      counters.onTasks(1);
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) {
      counters.onTaskFailed();
      failures.report(failure);
    }
  }

  private void requireInLoop() {
    if (!inLoop()) {
      throw new IllegalStateException(
          "not on loop " + name + ": " + Thread.currentThread().getName());
    }
  }

  private RejectedExecutionException rejection(String reason) {
    counters.onRejection();
    return new RejectedExecutionException("loop " + name + " refuses a task: " + reason);
  }
}
