package io.millrace.udp.linux;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tells all endpoints of the process whether a link of this machine has changed lately. One socket
 * serves all endpoints, and the first endpoint of each period reads this socket: hundreds of nodes
 * in a process would else ask the kernel hundreds of times for the same answer. The endpoint's own
 * socket still has the message, and still wakes a sleeping worker. The socket lives as long as the
 * process. For any thread; allocates nothing after construction.
 */
final class LinkNews {
  private static final long PERIOD_NS = 5_000_000;

  /** The kernel may give a message to this socket a little earlier than to the endpoints' own. */
  private static final long FRESH_NS = 500_000_000;

  /** Without a socket of the process each endpoint reads its own socket each time. */
  static final LinkNews NONE = new LinkNews(null);

  private final @Nullable LinkSocket socket;
  private final AtomicBoolean isLooking = new AtomicBoolean();
  private volatile long nextLookNs = System.nanoTime();
  private volatile long freshUntilNs = System.nanoTime() + FRESH_NS;

  /** Grows with each message; written by the thread that looks. */
  private final AtomicInteger changes = new AtomicInteger();

  private static final class OfProcess {
    static final LinkNews NEWS = new LinkNews(LinkSocket.open(new FfmLibc(), Arena.global()));
  }

  private LinkNews(@Nullable LinkSocket socket) {
    this.socket = socket;
  }

  static LinkNews ofProcess() {
    return OfProcess.NEWS;
  }

  /** Whether an endpoint should read the messages of its own socket now. */
  boolean isFresh(long nowNs) {
    LinkSocket open = socket;
    if (open == null) {
      return true;
    }
    if (nowNs - nextLookNs >= 0 && isLooking.compareAndSet(false, true)) {
      try {
        look(open, nowNs);
      } finally {
        isLooking.set(false);
      }
    }
    return nowNs - freshUntilNs < 0;
  }

  /** The number of messages so far: an endpoint that slept meanwhile reads its own socket. */
  int changes() {
    return changes.get();
  }

  private void look(LinkSocket open, long nowNs) {
    if (nowNs - nextLookNs < 0) {
      return;
    }
    nextLookNs = nowNs + PERIOD_NS;
    long result = open.receive();
    while (result > 0 || (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR)) {
      changes.incrementAndGet();
      freshUntilNs = nowNs + FRESH_NS;
      if (result < 0) {
        return;
      }
      result = open.receive();
    }
  }
}
