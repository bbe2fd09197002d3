package io.millrace.api.blocking;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Starts handlers on virtual threads while their requests fit a number of bytes. Further handlers
 * wait, without a thread, and begin one peer after the other, so a peer with many requests holds up
 * nobody else. The waiting requests are bounded where requests wait already: {@code
 * millrace.limits.request-budget} and {@code millrace.limits.concurrent-transfers}. Any thread; the
 * lock is held for moments.
 */
final class HandlerGate {
  /** The cost of a request beside its bytes: the stack of a virtual thread that waits. */
  static final int THREAD_BYTES = 2048;

  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** The waiting handlers of each peer; the first peer is next. */
  private final LinkedHashMap<String, LinkedHashSet<Entry>> waiting = new LinkedHashMap<>();

  private final AtomicLong number = new AtomicLong();
  private long usedBytes;
  private int running;

  /**
   * Creates a gate.
   *
   * @param mostBytes bytes of all requests with a running handler; a longer request runs alone
   */
  HandlerGate(long mostBytes) {
    if (mostBytes < THREAD_BYTES) {
      throw new IllegalArgumentException(
          "handlers on virtual threads need "
              + THREAD_BYTES
              + " bytes or more for their requests, not "
              + mostBytes);
    }
    this.mostBytes = mostBytes;
  }

  /**
   * Runs the handler of a request on a virtual thread, now or later.
   *
   * @param handler must not throw
   */
  Entry enter(String peer, long requestBytes, Runnable handler) {
    Entry entry = new Entry(peer, THREAD_BYTES + requestBytes, handler);
    lock.lock();
    try {
      waiting.computeIfAbsent(peer, _ -> new LinkedHashSet<>()).add(entry);
      startWaiting();
    } finally {
      lock.unlock();
    }
    return entry;
  }

  private void startWaiting() {
    assert lock.isHeldByCurrentThread();
    Map.Entry<String, LinkedHashSet<Entry>> turn;
    while ((turn = waiting.firstEntry()) != null) {
      LinkedHashSet<Entry> entries = turn.getValue();
      Entry next = entries.getFirst();
      if (usedBytes > 0 && next.bytes > mostBytes - usedBytes) {
        return;
      }
      entries.removeFirst();
      waiting.remove(next.peer);
      if (!entries.isEmpty()) {
        waiting.put(next.peer, entries);
      }
      usedBytes += next.bytes;
      running++;
      next.start();
    }
  }

  /** The bytes of the requests whose handlers run. */
  long usedBytes() {
    lock.lock();
    try {
      return usedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** The handlers that run. */
  int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** The handlers that wait. */
  int waiting() {
    lock.lock();
    try {
      return waiting.values().stream().mapToInt(LinkedHashSet::size).sum();
    } finally {
      lock.unlock();
    }
  }

  /** A handler, from its request to its end. */
  final class Entry {
    private final String peer;
    private final long bytes;
    private final Runnable handler;
    private @Nullable Thread thread;
    private boolean isOver;

    private Entry(String peer, long bytes, Runnable handler) {
      this.peer = peer;
      this.bytes = bytes;
      this.handler = handler;
    }

    private void start() {
      Thread own =
          Thread.ofVirtual()
              .name("millrace-handler-" + number.incrementAndGet())
              .unstarted(this::run);
      thread = own;
      own.start();
    }

    private void run() {
      try {
        handler.run();
      } finally {
        leave();
      }
    }

    private void leave() {
      lock.lock();
      try {
        isOver = true;
        usedBytes -= bytes;
        running--;
        startWaiting();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Nobody wants the answer: a waiting handler never starts, a running handler's thread is
     * interrupted.
     */
    void cancel() {
      lock.lock();
      try {
        Thread own = thread;
        if (own != null) {
          if (!isOver) {
            own.interrupt();
          }
          return;
        }
        LinkedHashSet<Entry> entries = waiting.get(peer);
        if (entries != null && entries.remove(this) && entries.isEmpty()) {
          waiting.remove(peer);
        }
        startWaiting();
      } finally {
        lock.unlock();
      }
    }
  }
}
