package io.millrace.samples.top;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * Runs each request of an HTTP server on a thread of its own, with a bounded number of threads. A
 * client that sends half a request, or reads its answer slowly, keeps its thread only until another
 * client comes. A new request ends all requests older than the time limit, and the oldest request
 * at the limit of the number. A request ends by an interrupt, which closes its channel. Any thread.
 */
final class RequestThreads implements Executor {
  private final int most;
  private final long limitNs;
  private final Set<Request> running = new LinkedHashSet<>();

  private final class Request implements Runnable {
    private final Runnable task;
    private final long startNs = System.nanoTime();
    private final Thread thread = Thread.ofVirtual().name("millrace-metrics").unstarted(this);

    private Request(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      try {
        task.run();
      } finally {
        synchronized (running) {
          running.remove(this);
        }
      }
    }
  }

  /**
   * No thread runs yet.
   *
   * @param most requests at once, at least 1
   * @param limit the age at which a request gives way to any new request
   */
  RequestThreads(int most, Duration limit) {
    this.most = most;
    limitNs = limit.toNanos();
  }

  @Override
  public void execute(Runnable task) {
    Request request = new Request(task);
    synchronized (running) {
      Iterator<Request> oldestFirst = running.iterator();
      while (oldestFirst.hasNext()) {
        Request older = oldestFirst.next();
        if (running.size() < most && request.startNs - older.startNs < limitNs) {
          break;
        }
        oldestFirst.remove();
        older.thread.interrupt();
      }
      running.add(request);
    }
    request.thread.start();
  }

  /** Ends all requests. */
  void interruptAll() {
    synchronized (running) {
      running.forEach(request -> request.thread.interrupt());
      running.clear();
    }
  }
}
