package io.millrace.api;

import io.millrace.api.bulk.PlacementException;
import io.millrace.ends.FailureText;
import io.millrace.event.TransportEvents;
import io.millrace.transfer.MalformedHeadersException;
import io.millrace.transfer.OverloadedException;
import io.millrace.wire.RouteId;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one handler throws, or completes its answers with, though it should not, and tells of
 * the first time, the second, the fourth and so on. Any thread.
 */
final class HandlerFaults {
  private final Node node;
  private final RouteId route;
  private final String pattern;
  private final AtomicLong count = new AtomicLong();

  /** Of all handlers of one node. */
  static final class Node {
    private final TransportEvents events;
    private final AtomicLong total = new AtomicLong();

    Node(TransportEvents events) {
      this.events = events;
    }

    /** Those of one handler. */
    HandlerFaults of(RouteId route, String pattern) {
      return new HandlerFaults(this, route, pattern);
    }

    /** How many there were. */
    long total() {
      return total.get();
    }
  }

  private HandlerFaults(Node node, RouteId route, String pattern) {
    this.node = node;
    this.route = route;
    this.pattern = pattern;
  }

  /** The handler answered a peer with this, or with nothing at all if it is null. */
  void onFailure(String peer, @Nullable Throwable failure) {
    Throwable cause =
        failure == null
            ? new NullPointerException("the handler answered null")
            : FailureText.cause(failure);
    if (isFault(cause)) {
      node.total.incrementAndGet();
      long number = count.incrementAndGet();
      if (Long.bitCount(number) == 1) {
        node.events.onHandlerFault(peer, route.name(), pattern, cause, number);
      }
    }
  }

  /** How a transfer ended is no fault of who waited for it; nor is what was meant to be said. */
  private static boolean isFault(Throwable cause) {
    return !(cause instanceof IntendedFailure
        || cause instanceof PlacementException
        || cause instanceof OverloadedException
        || cause instanceof MalformedHeadersException
        || cause instanceof CallException
        || cause instanceof CancellationException);
  }
}
