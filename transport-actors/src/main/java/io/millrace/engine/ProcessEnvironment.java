package io.millrace.engine;

import io.millrace.buffer.DropWatch;
import io.millrace.config.WorkerSettings.WatchSettings;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.HandshakeProvider;
import io.millrace.crypto.HandshakeProviders;
import io.millrace.driver.DriverProvider;
import io.millrace.event.TransportEvents;
import io.millrace.loop.DedicatedCores;
import io.millrace.loop.Machine;
import io.millrace.loop.WatchedLoop;
import io.millrace.loop.watch.Watch;
import io.millrace.loop.watch.Watchdog;
import io.millrace.node.AddressNetwork;
import io.millrace.node.HangAction;
import io.millrace.node.HostNumber;
import io.millrace.protocol.schedule.TimingWheel;
import io.millrace.protocol.schedule.TimingWheels;
import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/** A real process: threads, secure randomness, and whatever driver the settings choose. */
final class ProcessEnvironment implements NodeEnvironment {
  private static final long DEVICE_IDLE_S = 10;
  private static final long IDLE_S = 60;

  /** Threads of an executor that may wait for futures at once. */
  private static final int MOST_WAITING = 4_096;

  private final AtomicInteger nodes = new AtomicInteger();

  @Override
  public int nextNodeNumber() {
    return nodes.getAndIncrement();
  }

  @Override
  public RandomGenerator newRandom(String use) {
    return new SecureRandom();
  }

  @Override
  public AeadProviders ciphers() {
    return AeadProviders.ofProcess();
  }

  @Override
  public HandshakeProvider handshakes(String name) {
    return HandshakeProviders.discover().named(name);
  }

  @Override
  public @Nullable ActorSystem<?> system() {
    return null;
  }

  @Override
  public AddressNetwork networkOf(InetAddress local) {
    return AddressNetwork.of(local);
  }

  @Override
  public long host() {
    return HostNumber.ofThisProcess();
  }

  @Override
  public @Nullable DriverProvider driver() {
    return null;
  }

  @Override
  public TimingWheels wheels() {
    return TimingWheel::new;
  }

  @Override
  public long nowNs() {
    return System.nanoTime();
  }

  @Override
  public boolean tellsEventsAtOnce() {
    return false;
  }

  @Override
  public String logMark() {
    return "";
  }

  @Override
  public ExecutorService newExecutor(int threads) {
    return newPool(threads, "millrace-app-");
  }

  /** A pool that notices by itself when a thread of the pool waits for a future. */
  @Override
  public ExecutorService newGrowingExecutor(String use, int threads) {
    AtomicInteger number = new AtomicInteger();
    return new ForkJoinPool(
        threads,
        pool -> new PoolThread(pool, "millrace-" + use + "-" + number.getAndIncrement()),
        null,
        /* asyncMode= */ true,
        threads,
        threads + MOST_WAITING,
        threads,
        full -> true,
        IDLE_S,
        TimeUnit.SECONDS);
  }

  /** With the class loader of the creating thread, as other threads have. */
  private static final class PoolThread extends ForkJoinWorkerThread {
    PoolThread(ForkJoinPool pool, String name) {
      super(pool);
      setName(name);
      setDaemon(true);
    }
  }

  @Override
  public ExecutorService newDeviceExecutor(int threads) {
    ThreadPoolExecutor pool = newPool(threads, "millrace-device-");
    pool.setKeepAliveTime(DEVICE_IDLE_S, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static ThreadPoolExecutor newPool(int threads, String name) {
    AtomicInteger number = new AtomicInteger();
    return new ThreadPoolExecutor(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> {
          Thread thread = new Thread(task, name + number.getAndIncrement());
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public DropWatch drops() {
    return (handle, onDropped) -> Drops.CLEANER.register(handle, onDropped)::clean;
  }

  /** A single thread of the process, made with the first node. */
  private static final class Drops {
    private static final Cleaner CLEANER =
        Cleaner.create(
            task -> {
              Thread thread = new Thread(task, "millrace-drops");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public Machine machine() {
    return Machine.ofThisProcess();
  }

  @Override
  public List<String> jvmFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments();
  }

  @Override
  public Watch watch(
      Supplier<List<WatchedLoop>> loops,
      WatchSettings settings,
      TransportEvents events,
      HangAction action) {
    return Watchdog.start(
        loops.get(), settings, events, action, DedicatedCores.OF_PROCESS::evictStrays);
  }

  @Override
  public void onStarted(TransportPool pool) {
    // Nobody watches the nodes of a process.
  }

  @Override
  public Executor lastResort() {
    return ForkJoinPool.commonPool();
  }

  @Override
  public <T> T await(Future<T> future, long timeoutNs)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(timeoutNs, TimeUnit.NANOSECONDS);
  }
}
