package io.millrace.loop.watch;

import io.millrace.config.WorkerSettings.WatchSettings;
import io.millrace.event.TransportEvents;
import io.millrace.loop.WatchedLoop;
import io.millrace.node.HangAction;
import io.millrace.node.HungWorker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * The thread that watches the loops of a node, a daemon. The watchdog reads the loops' own
 * counters, so watching costs the loops nothing.
 */
public final class Watchdog extends Thread implements Watch {
  /** Looks in the time after which a worker hangs, unless settings say how often. */
  private static final int LOOKS = 20;

  /** The number of looks while all workers sleep. */
  private static final int LOOKS_AT_REST = 4;

  private static final Logger LOG = LoggerFactory.getLogger("io.millrace.events");

  private final List<? extends WatchedLoop> loops;
  private final TransportEvents events;
  private final HangAction action;
  private final Runnable chore;
  private final long reportLimitMs;
  private final HangDetector detector;
  private volatile boolean closed;
  private final long chorePeriodNs;
  private long choredNs;

  /**
   * The thread that writes a report. The report may meet the worker's obstacle, an appender's lock.
   */
  private static final class Reporter extends Thread {
    private final Thread hung;
    private final Runnable report;
    private volatile List<StackTraceElement> stack = List.of();

    Reporter(Thread hung, Consumer<List<StackTraceElement>> report) {
      super("millrace-watchdog-report");
      this.hung = hung;
      this.report = () -> report.accept(stack);
      setDaemon(true);
    }

    @Override
    public void run() {
      stack = List.of(hung.getStackTrace());
      report.run();
    }
  }

  private Watchdog(
      List<? extends WatchedLoop> loops,
      WatchSettings settings,
      long reportLimitNs,
      TransportEvents events,
      HangAction action,
      Runnable chore) {
    super("millrace-watchdog");
    this.loops = List.copyOf(loops);
    this.events = events;
    this.action = action;
    this.chore = chore;
    this.reportLimitMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(reportLimitNs));
    long nowNs = System.nanoTime();
    chorePeriodNs = settings.hangAfterNs();
    choredNs = nowNs - chorePeriodNs;
    long everyNs = settings.everyNs();
    long periodNs = everyNs > 0 ? everyNs : Math.max(1, settings.hangAfterNs() / LOOKS);
    long restNs = everyNs > 0 ? everyNs : Math.max(1, settings.hangAfterNs() / LOOKS_AT_REST);
    detector = new HangDetector(loops.size(), settings.hangAfterNs(), periodNs, restNs, nowNs);
    setDaemon(true);
  }

  /**
   * Watches loops.
   *
   * @param loops of workers 0, 1 and so on
   * @param settings after how long without progress a worker hangs, and how often to look
   * @param events told of each hang, on a thread of its own
   * @param action the action upon a hang, on the watchdog's thread
   * @param chore is done now and then by the same thread; short, and must not throw
   */
  public static Watch start(
      List<? extends WatchedLoop> loops,
      WatchSettings settings,
      TransportEvents events,
      HangAction action,
      Runnable chore) {
    return start(loops, settings, TimeUnit.SECONDS.toNanos(2), events, action, chore);
  }

  static Watch start(
      List<? extends WatchedLoop> loops,
      WatchSettings settings,
      long reportLimitNs,
      TransportEvents events,
      HangAction action,
      Runnable chore) {
    if (settings.hangAfterNs() == 0) {
      return Watch.NONE;
    }
    Watchdog watchdog = new Watchdog(loops, settings, reportLimitNs, events, action, chore);
    watchdog.start();
    return watchdog;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(this);
  }

  @Override
  public void run() {
    while (!closed) {
      long waitNs = detector.nextDeadlineNs() - System.nanoTime();
      if (waitNs > 0) {
        LockSupport.parkNanos(this, waitNs);
        Thread.interrupted(); // a set flag would make every later park return at once, and spin
      } else {
        look(System.nanoTime());
      }
    }
  }

  private void look(long nowNs) {
    detector.onLook(nowNs);
    if (nowNs - choredNs >= chorePeriodNs) {
      choredNs = nowNs;
      chore.run();
    }
    for (int worker = 0; worker < loops.size(); worker++) {
      WatchedLoop loop = loops.get(worker);
      Thread runner = loop.runner();
      long progress = loop.progress();
      if (runner == null) {
        detector.onAsleep(worker, progress);
      } else if (!detector.isStanding(worker, progress)) {
        detector.onMoving(worker, progress);
      } else {
        ThreadTimes times = ThreadTimes.of(loop.runnerId());
        if (detector.onStanding(worker, times.runNs(), times.waitNs(), times.isBlocked())) {
          onHung(worker, runner);
        }
      }
    }
  }

  /**
   * Tells of the hang, within the limit: obstacles that the worker hangs in must not keep the
   * action.
   */
  private void onHung(int worker, Thread runner) {
    long hungNs = detector.hungNs(worker);
    Reporter reporter =
        new Reporter(
            runner, stack -> report(new HungWorker(worker, runner.getName(), hungNs, stack)));
    reporter.start();
    try {
      reporter.join(reportLimitMs);
    } catch (InterruptedException e) {
      interrupt();
    }
    try {
      action.onHung(new HungWorker(worker, runner.getName(), hungNs, reporter.stack));
    } catch (RuntimeException | Error e) {
      LOG.error("the action on a hung worker threw", e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // start a thread of its own actions, or another thread
  private String end() {
    return action == HangAction.HALT
        ? "Ending the process with code " + HangAction.EXIT_CODE + ": "
        : "";
  }

  private void report(HungWorker hung) {
    String line = end() + hung;
    if (LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory) {
      System.err.println(line); // no bound logger would log the failure
    }
    LOG.error(line);
    events.onWorkerHung(hung.worker(), hung.thread(), hung.hungNs(), hung.stackText());
  }
}
