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
 * A call with a body as response, which goes to a target as the bytes arrive. A receiver gets the
 * headers ahead of the first byte and chooses the target. A target given at the beginning is
 * aborted if the receiver never chooses the target.
 */
final class BulkReadCall extends PeerCall implements BodyListener {
  private static final byte[] NO_BYTES = {};

  /** The peer as known before a path has proved the peer's identity. */
  private final Caller asked;

  private final BodyAcceptor receiver;
  private final ExecutorLane lane;
  private final EndingFuture<BulkReceipt> future;
  private final String routeName;

  /** Whether threads for device I/O call the target, once a target is known. */
  private volatile boolean isWaiting;

  private byte[] responseHeaders = NO_BYTES;

  /**
   * The target to abort if the call fails; null without a target, or while the opener of the body
   * ends the target.
   */
  private @Nullable BodyTarget target;

  /**
   * Reads into the target that the receiver chooses; a target that is not null is the receiver's
   * choice.
   */
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
    waitForReady(options.readyWait().toNanos());
    asked = new Caller(handle.identity(), PeerIdentity.ofPreSharedKey(handle.identity()));
    this.target = target;
    this.receiver = receiver;
    agree(Protection.SEALED, options.expectedResponseBytes());
    isWaiting = target != null && target.waitsForDevice();
    this.future = future;
    routeName = route.name();
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

  /**
   * Returns the answering peer, with the identity that the peer proved last on the path. On the
   * worker's thread, or on a thread with an answer that arrived by the path.
   */
  private Caller answering() {
    PathCalls opened = path();
    return opened == null ? asked : opened.peer();
  }

  /**
   * Whether the target waits for a device. An exception here counts as no: the target throws again
   * later, where the exception fails the read.
   */
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

  /** Runs the completion of the application on the executor, on whichever thread the target ran. */
  private void onExecutor(Runnable ending) {
    if (isWaiting) {
      lane.give(LaneTask.always(ending));
    } else {
      ending.run();
    }
  }

  /** Called by the opener of the body, or through {@link #onFailure} if no body ever arrived. */
  @Override
  public void onFailed(CallOutcome outcome, String text) {
    CallException failure = CallException.of(outcome, text, this, routeName);
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

  /** Receives an inline answer of the peer's handler. */
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
   * Gives a target the bytes of an inline answer, in the same order of calls as the opener of a
   * body. The call has its answer by then, so the caller ends the delivery by ending the future.
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
    throw new IllegalStateException("a bulk read never gets its response as one message");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    lane.give(LaneTask.always(isWaiting, () -> onFailed(outcome, text)));
  }
}
