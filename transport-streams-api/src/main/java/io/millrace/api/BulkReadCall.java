package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.body.BodyAcceptor;
import io.millrace.actor.body.BodyListener;
import io.millrace.actor.body.BodyOpener;
import io.millrace.actor.body.BodyTarget;
import io.millrace.actor.peer.PeerCall;
import io.millrace.actor.peer.PeerHandle;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.FailureText;
import io.millrace.actor.submission.LaneTask;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.wire.Route;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
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

  private final String peer;
  private final BodyAcceptor receiver;
  private final ExecutorLane lane;
  private final EndingFuture<BulkReceipt> future;
  private byte[] responseHeaders = NO_BYTES;

  /** Aborted here if the call fails; null while there is none, or others end it. */
  private @Nullable BodyTarget target;

  /** Reads into what the receiver names, which is the target if that is not null. */
  BulkReadCall(
      PeerHandle handle,
      Route route,
      @Nullable BodyTarget target,
      BodyAcceptor receiver,
      TransferOptions options,
      EndingFuture<BulkReceipt> future,
      ExecutorLane lane) {
    super(handle.link(), route.id(), options.priority(), options.headers(), NO_BYTES);
    expireAfter(options.deadline().toNanos());
    peer = handle.identity();
    this.target = target;
    this.receiver = receiver;
    this.future = future;
    this.lane = lane;
  }

  static CompletableFuture<BulkReceipt> submit(
      PeerHandle handle,
      Route route,
      @Nullable BodyTarget target,
      BodyAcceptor receiver,
      TransferOptions options,
      ExecutorLane lane) {
    EndingFuture<BulkReceipt> future = new EndingFuture<>(handle);
    return future.submit(new BulkReadCall(handle, route, target, receiver, options, future, lane));
  }

  @Override
  protected BodyListener bodyListener() {
    return this;
  }

  @Override
  public @Nullable BodyTarget onHeaders(BodyOpener opener, byte[] headers, long payloadBytes) {
    responseHeaders = headers;
    name(
        payloadBytes,
        named -> {
          target = null;
          opener.accept(named);
        },
        text -> opener.fail(CallOutcome.TARGET_FAILED, text));
    return null;
  }

  private void name(long payloadBytes, Consumer<BodyTarget> naming, Consumer<String> refusing) {
    receiver.ask(peer, priority(), responseHeaders, payloadBytes, naming, refusing);
  }

  @Override
  public void onDelivered(long payloadBytes) {
    future.answer(new BulkReceipt(payloadBytes, responseHeaders));
  }

  /** From the opener, or through {@link #onFailure} when no body ever came. */
  @Override
  public void onFailed(CallOutcome outcome, String text) {
    CallException failure = new CallException(outcome, text);
    BodyTarget open = target;
    target = null;
    try {
      if (open != null) {
        open.abort(failure);
      }
    } finally {
      future.fail(failure);
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
    byte[] bytes = new byte[payloadLength];
    buffer.getBytes(payloadOffset, bytes);
    if (outcome != CallOutcome.OK) {
      onFailure(outcome, new String(bytes, UTF_8));
      return;
    }
    byte[] headers = new byte[headersLength];
    buffer.getBytes(headersOffset, headers);
    lane.give(LaneTask.always(() -> onWhole(headers, bytes)));
  }

  /** The peer's handler answered inline. */
  private void onWhole(byte[] headers, byte[] bytes) {
    responseHeaders = headers;
    name(
        bytes.length,
        named -> lane.give(LaneTask.always(() -> deliver(named, bytes))),
        text -> onFailed(CallOutcome.TARGET_FAILED, text));
  }

  private void deliver(BodyTarget named, byte[] bytes) {
    target = named;
    try {
      named.write(bytes, 0, bytes.length);
      target = null;
      named.complete();
      future.answer(new BulkReceipt(bytes.length, responseHeaders));
    } catch (IOException | RuntimeException e) {
      onFailed(CallOutcome.TARGET_FAILED, FailureText.of(e));
    } catch (Error e) {
      onFailed(CallOutcome.TARGET_FAILED, FailureText.of(e));
      throw e;
    }
  }

  @Override
  protected void onMessage(byte[] headers, byte[] payload) {
    throw new IllegalStateException("a bulk read is never put together");
  }

  @Override
  public void onFailure(CallOutcome outcome, String text) {
    lane.give(LaneTask.always(() -> onFailed(outcome, text)));
  }
}
