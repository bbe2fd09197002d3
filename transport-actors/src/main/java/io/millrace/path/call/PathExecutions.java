package io.millrace.path.call;

import io.millrace.path.causality.SlotToken;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedWork;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what handlers of one path have in hand, and keeps the requests for which that is too much
 * until there is room again, in the order of their arrival; rule C-6. What waits has a slot of its
 * caller's and its credit: both bound it. On the worker's thread.
 */
final class PathExecutions {
  private final int limit;
  private final SequencedSet<Waiting> waiting = new LinkedHashSet<>();
  private int running;

  /** Of a path whose peer may have so many calls executed at once. */
  PathExecutions(int limit) {
    this.limit = limit;
  }

  /** Whether one more call may be executed. */
  boolean hasRoom() {
    return running < limit;
  }

  /** Calls that handlers have and did not answer, those included that were given up. */
  int running() {
    return running;
  }

  /** Requests that wait. */
  int waiting() {
    return waiting.size();
  }

  /** A handler took a call out of the worker's hands. */
  void onStarted() {
    running++;
    assert running <= limit : running + " of " + limit;
  }

  /** It has answered. */
  void onEnded() {
    if (running == 0) {
      throw new IllegalStateException("a call was answered that no handler has");
    }
    running--;
  }

  /** There is no room for it now. */
  void add(Waiting request) {
    waiting.add(request);
  }

  /** Takes a request that waits, wherever it stands. */
  void remove(Waiting request) {
    waiting.remove(request);
  }

  /** Takes the request that has waited longest, if there is room for it now; else null. */
  @Nullable Waiting next() {
    return hasRoom() && !waiting.isEmpty() ? waiting.removeFirst() : null;
  }

  /**
   * A request that has come and is not executed yet, because its path has as many calls with
   * handlers as it may; rule C-6. It has a copy of its bytes, and keeps its inline credit. On the
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

    /** Memory set aside for it, if it came as a body. */
    final long heldBytes;

    private final Consumer<Waiting> abandoned;

    /** A copy of the request that {@code inbound} shows. */
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

    /** Nobody waits for its answer: it is never executed. */
    @Override
    public void onAbandoned() {
      abandoned.accept(this);
    }
  }
}
