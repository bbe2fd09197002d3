package io.millrace.api;

import io.millrace.access.PeerIdentity;
import io.millrace.access.admission.Caller;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.body.BodyAcceptor;
import io.millrace.body.BodyListener;
import io.millrace.body.BodyOpener;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.LaneTask;
import io.millrace.ends.RepeatedTask;
import io.millrace.path.call.PathCalls;
import io.millrace.path.call.PeerCall;
import io.millrace.path.peer.PeerHandle;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.PeerText;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A call whose response is a body that goes to a target as it comes. A receiver is told the headers
 * ahead of the first byte and names the target; a target that is there from the beginning is
 * aborted if no receiver ever named it.
 */
final class BulkReadCall extends PeerCall implements BodyListener {
  private static final byte[] NO_BYTES = {};

  /** The peer, as it is known before a path has proved who it is. */
  private final Caller asked;

  private final BodyAcceptor receiver;
  private final ExecutorLane lane;
  private final EndingFuture<BulkReceipt> future;

  /** Whether the target, once there is one, is called by threads that wait for devices. */
  private volatile boolean isWaiting;

  private byte[] responseHeaders = NO_BYTES;

  /** Aborted here if the call fails; null while there is none, or others end it. */
  private @Nullable BodyTarget target;

  /** Reads into what the receiver names, which is the target if that is not null. */
  BulkReadCall(
      PeerHandle handle,
      RouteId route,
      @Nullable BodyTarget target,
      BodyAcceptor receiver,
      TransferOptions options,
      EndingFuture<BulkReceipt> future,
      ExecutorLane lane) {
    super(
        handle.link(options.dependencies()),
        route.id(),
        options.priority(),
        options.headerBlock(),
        NO_BYTES);
    expireAfter(options.deadline().toNanos());
    asked = new Caller(handle.identity(), PeerIdentity.ofPreSharedKey(handle.identity()));
    this.target = target;
    this.receiver = receiver;
    agree(Protection.SEALED, options.expectedResponseBytes());
    isWaiting = target != null && target.waitsForDevice();
    this.future = future;
    this.lane = lane;
    dependOn(options.dependencies(), handle.port().causality());
  }

  static EndingFuture<BulkReceipt> submit(
      PeerHandle handle,
      RouteId route,
      @Nullable BodyTarget target,
      BodyAcceptor receiver,
      TransferOptions options,
      ExecutorLane lane,
      CompletableFuture<?> start) {
    EndingFuture<BulkReceipt> future = new EndingFuture<>(handle);
    return future.submit(
        new BulkReadCall(handle, route, target, receiver, options, future, lane), start);
  }

  @Override
  public @Nullable BodyTarget onHeaders(BodyOpener opener, byte[] headers, long payloadBytes) {
    responseHeaders = headers;
    name(
        payloadBytes,
        named -> {
          isWaiting = waits(named);
          target = null;
          opener.accept(named);
        },
        (_, text) -> opener.fail(CallOutcome.TARGET_FAILED, text));
    return null;
  }

  private void name(
      long payloadBytes, Consumer<BodyTarget> naming, BiConsumer<CallOutcome, String> refusing) {
    receiver.ask(answering(), priority(), responseHeaders, payloadBytes, naming, refusing);
  }

  /** On the worker's thread, or where an answer was handed to that has come by the path. */
  private Caller answering() {
    PathCalls opened = path();
    return opened == null ? asked : opened.peer();
  }

  /** What it throws it will throw again where it fails the read. */
  private static boolean waits(BodyTarget named) {
    try {
      return named.waitsForDevice();
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  @Override
  public void onDelivered(long payloadBytes) {
    onExecutor(() -> future.answer(new BulkReceipt(payloadBytes, Headers.decode(responseHeaders))));
  }

  /** The application goes on where it always does, whichever thread the target had. */
  private void onExecutor(Runnable ending) {
    if (isWaiting) {
      lane.give(LaneTask.always(ending));
    } else {
      ending.run();
    }
  }

  /** From the opener, or through {@link #onFailure} when no body ever came. */
  @Override
  public void onFailed(CallOutcome outcome, String text) {
    CallException failure = CallException.of(outcome, text, this);
    BodyTarget open = target;
    target = null;
    try {
      if (open != null) {
        open.abort(failure);
      }
    } finally {
      onExecutor(() -> future.fail(failure));
    }
  }

  @Override
  public void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength) {
    if (outcome != CallOutcome.OK) {
      onFailure(outcome, PeerText.of(buffer, payloadOffset, payloadLength));
      return;
    }
    byte[] bytes = new byte[payloadLength];
    buffer.getBytes(payloadOffset, bytes);
    byte[] headers = new byte[headersLength];
    buffer.getBytes(headersOffset, headers);
    lane.give(LaneTask.always(() -> onWhole(headers, bytes)));
  }

  /** The peer's handler answered inline. */
  private void onWhole(byte[] headers, byte[] bytes) {
    responseHeaders = headers;
    name(
        bytes.length,
        named -> {
          isWaiting = waits(named);
          new InlineDelivery(named, bytes).begin();
        },
        (_, text) -> onFailed(CallOutcome.TARGET_FAILED, text));
  }

  /**
   * Gives a target what came in one message, in the order that the opener of a body keeps to. The
   * call was answered by then, so its caller ends this by ending the future.
   */
  private final class InlineDelivery extends RepeatedTask {
    private final BodyTarget named;
    private final int payloadBytes;
    private byte[] left;
    private boolean isBegun;
    private boolean isOver;

    InlineDelivery(BodyTarget named, byte[] payload) {
      super(lane);
      this.named = named;
      payloadBytes = payload.length;
      left = payload;
    }

    void begin() {
      target = named;
      var _ = future.whenComplete((receipt, failure) -> schedule());
      schedule();
    }

    @Override
    protected void onTurn() {
      if (isOver) {
        return;
      }
      if (leaves(named::waitsForDevice)) {
        return;
      }
      if (future.isDone()) {
        fail(CallOutcome.CANCELLED, "the read was given up");
        return;
      }
      try {
        deliver();
      } catch (IOException | RuntimeException e) {
        fail(CallOutcome.TARGET_FAILED, FailureText.of(e));
      }
    }

    private void deliver() throws IOException {
      if (!isBegun) {
        isBegun = true;
        named.start(this::schedule);
      }
      if (left.length > 0 && isReady()) {
        named.write(left, 0, left.length);
        left = NO_BYTES;
      }
      if (left.length == 0 && isReady()) {
        isOver = true;
        target = null;
        named.complete();
        onDelivered(payloadBytes);
      }
    }

    private boolean isReady() throws IOException {
      if (named.isReady()) {
        return true;
      }
      if (named.isCancelled()) {
        throw new IOException("the target wants no more");
      }
      return false;
    }

    private void fail(CallOutcome outcome, String text) {
      isOver = true;
      onFailed(outcome, text);
    }

    @Override
    protected void onFault(Throwable thrown) {
      fail(CallOutcome.TARGET_FAILED, FailureText.of(thrown));
    }

    @Override
    protected void onRefused() {
      if (!isOver) {
        fail(CallOutcome.OVERLOADED, "the executor refuses tasks");
      }
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    throw new IllegalStateException("a bulk read is never put together");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    lane.give(LaneTask.always(isWaiting, () -> onFailed(outcome, text)));
  }
}
