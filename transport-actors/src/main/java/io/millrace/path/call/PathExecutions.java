package io.millrace.path.call;

import io.millrace.access.admission.Caller;
import io.millrace.path.causality.SlotToken;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedWork;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls in the hands of one path's handlers. Keeps the requests beyond the limit until
 * handlers have room again, in the order of arrival; rule C-6. A waiting request holds a slot of
 * its caller and its own credit: both bound the wait. On the worker's thread.
 */
final class PathExecutions {
  private final int limit;
  private final SequencedSet<Waiting> waiting = new LinkedHashSet<>();
  private int running;

  /** The handler of the last call that left the worker's hands, and the caller. */
  private DeferredAnswer.@Nullable Parties parties;

  /** The executions of a path whose peer may have this number of calls executed at once. */
  PathExecutions(int limit) {
    this.limit = limit;
  }

  /** Whether one more call may be executed. */
  boolean hasRoom() {
    return running < limit;
  }

  /** The number of calls held by handlers and not answered, given-up calls included. */
  int running() {
    return running;
  }

  /** The number of requests waiting. */
  int waiting() {
    return waiting.size();
  }

  /** A handler took a call out of the worker's hands. */
  void onStarted() {
    running++;
    assert running <= limit : running + " of " + limit;
  }

  /** The parties of a call, shared by calls to the same handler one after another. */
  DeferredAnswer.Parties parties(@Nullable DeferredHandler handler, Caller caller) {
    DeferredAnswer.Parties both = DeferredAnswer.Parties.of(parties, handler, caller);
    parties = both;
    return both;
  }

  /** The handler has answered. */
  void onEnded() {
    if (running == 0) {
      throw new IllegalStateException("a call without a handler was answered");
    }
    running--;
  }

  /** The path has no room for the request now. */
  void add(Waiting request) {
    waiting.add(request);
  }

  /** Takes a waiting request, wherever the request stands. */
  void remove(Waiting request) {
    waiting.remove(request);
  }

  /**
   * Takes the request with the longest wait, if the path has room for the request now; else null.
   */
  @Nullable Waiting next() {
    return hasRoom() && !waiting.isEmpty() ? waiting.removeFirst() : null;
  }

  /**
   * A request not executed yet, because its path has as many calls with handlers as the limit
   * allows; rule C-6. The request owns a copy of the bytes, and keeps the inline credit. On the
   * worker's thread.
   */
  static final class Waiting implements ServedWork {
    final InboundHandler handler;
    final ServedCall call;
    final int costBytes;
    final byte[] bytes;
    final int headersLength;
    final int payloadLength;
    final boolean isScreened;
    final @Nullable SlotToken token;

    /** Memory set aside for a request received as a body. */
    final long heldBytes;

    private final Consumer<Waiting> abandoned;

    /** A copy of the request shown by {@code inbound}. */
    Waiting(
        Consumer<Waiting> abandoned,
        InboundHandler handler,
        ServedCall call,
        InboundCall inbound,
        int costBytes) {
      this.abandoned = abandoned;
      this.handler = handler;
      this.call = call;
      this.costBytes = costBytes;
      headersLength = inbound.headersLength();
      payloadLength = inbound.payloadLength();
      isScreened = inbound.isScreened();
      token = inbound.token();
      heldBytes = inbound.takeHeld();
      bytes = new byte[headersLength + payloadLength];
      inbound.buffer().getBytes(inbound.headersOffset(), bytes, 0, headersLength);
      inbound.buffer().getBytes(inbound.payloadOffset(), bytes, headersLength, payloadLength);
    }

    /** Nobody waits for the answer: the request is never executed. */
    @Override
    public void onAbandoned() {
      abandoned.accept(this);
    }
  }
}
