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
 * Counts the faults of one handler: exceptions that the handler throws, or with which its answers
 * complete. Reports the first, the second, the fourth fault and so on. Any thread.
 */
final class HandlerFaults {
  private final Node node;
  private final RouteId route;
  private final String pattern;
  private final AtomicLong count = new AtomicLong();

  /** The faults of all handlers of one node. */
  static final class Node {
    private final TransportEvents events;
    private final AtomicLong total = new AtomicLong();

    Node(TransportEvents events) {
      this.events = events;
    }

    /** Returns the faults of one handler. */
    HandlerFaults of(RouteId route, String pattern) {
      return new HandlerFaults(this, route, pattern);
    }

    /** Returns the number of faults. */
    long total() {
      return total.get();
    }
  }

  private HandlerFaults(Node node, RouteId route, String pattern) {
    this.node = node;
    this.route = route;
    this.pattern = pattern;
  }

  /** Returns the name of the handler's route. */
  String route() {
    return route.name();
  }

  /**
   * Counts a failure with which the handler answered a peer; null for a handler that returned no
   * answer.
   */
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

  /**
   * Whether the cause is a fault of the handler. The failure of a transfer for which the handler
   * waited is no fault, and neither is an intended failure.
   */
  private static boolean isFault(Throwable cause) {
    return !(cause instanceof IntendedFailure
        || cause instanceof PlacementException
        || cause instanceof OverloadedException
        || cause instanceof MalformedHeadersException
        || cause instanceof CallException
        || cause instanceof CancellationException);
  }
}
