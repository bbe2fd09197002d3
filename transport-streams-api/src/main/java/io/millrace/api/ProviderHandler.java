package io.millrace.api;

import io.millrace.access.CallPattern;
import io.millrace.actor.body.MeasuredSource;
import io.millrace.actor.call.DeferredCall;
import io.millrace.actor.call.DeferredHandler;
import io.millrace.actor.call.InboundCall;
import io.millrace.actor.call.InboundHandler;
import io.millrace.actor.submission.ExecutorLane;
import io.millrace.actor.submission.FailureText;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers a bulk read with the source that the application names. */
final class ProviderHandler implements InboundHandler, DeferredHandler {
  private final BulkProvider provider;
  private final Protection protection;
  private final ExecutorLane lane;
  private final HandlerFaults faults;

  ProviderHandler(
      BulkProvider provider, Protection protection, ExecutorLane lane, HandlerFaults faults) {
    this.faults = faults;
    this.lane = lane;
    this.provider = provider;
    this.protection = protection;
  }

  @Override
  public ExecutorLane lane() {
    return lane;
  }

  @Override
  public CallPattern pattern() {
    return CallPattern.BULK_READ;
  }

  @Override
  public void onCall(InboundCall call) {
    call.defer().handOver(this);
  }

  @Override
  public void onCall(DeferredCall call) {
    BulkOffer offer =
        new BulkOffer(
            call.peer(),
            call.caller().identity(),
            call.priority(),
            Headers.decode(call.headers()),
            BodySource.UNKNOWN_LENGTH);
    call.forgetRequest();
    try {
      provider.open(offer).whenComplete((source, failure) -> answer(call, source, failure));
    } catch (Exception | Error e) {
      refuse(call, e);
    }
  }

  private void refuse(DeferredCall call, Throwable failure) {
    faults.onFailure(call.peer(), failure);
    call.fail(HandlerFailure.statusOf(failure, CallStatus.REFUSED), FailureText.of(failure));
  }

  private void answer(DeferredCall call, @Nullable BodySource source, @Nullable Throwable failure) {
    if (source != null) {
      answer(call, source);
    } else if (failure == null) {
      faults.onFailure(call.peer(), null);
      call.refuse("the provider named no source");
    } else {
      refuse(call, failure);
    }
  }

  private void answer(DeferredCall call, BodySource source) {
    MeasuredSource measured;
    try {
      measured = new MeasuredSource(source);
    } catch (RuntimeException | Error e) {
      faults.onFailure(call.peer(), e);
      close(source, () -> call.fail(CallStatus.SOURCE_FAILED, FailureText.of(e)));
      return;
    }
    byte[] headers;
    try {
      headers =
          Objects.requireNonNull(source.responseHeaders(), "the source's headers are null")
              .encode();
    } catch (RuntimeException | Error e) {
      faults.onFailure(call.peer(), e);
      close(source, () -> call.refuse(FailureText.of(e)));
      return;
    }
    call.answer(headers, measured, protection);
  }

  private static void close(BodySource source, Runnable next) {
    try {
      source.close();
    } finally {
      next.run();
    }
  }
}
