package io.millrace.api;

import io.millrace.access.CallPattern;
import io.millrace.access.admission.Caller;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.body.MeasuredSource;
import io.millrace.ends.ExecutorLane;
import io.millrace.ends.FailureText;
import io.millrace.ends.FirstEnd;
import io.millrace.path.call.DeferredAnswer;
import io.millrace.path.call.DeferredCall;
import io.millrace.path.call.DeferredHandler;
import io.millrace.path.call.InboundCall;
import io.millrace.path.call.InboundHandler;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers a bulk read with the source that the application chooses. */
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
  public void onCall(DeferredCall call, DeferredAnswer answer) {
    Caller caller = call.caller();
    int priority = call.priority();
    byte[] headers = call.headers();
    call.forgetRequest();
    try {
      BulkOffer offer =
          new BulkOffer(
              caller.peer(),
              caller.identity(),
              priority,
              Headers.decode(headers),
              BodySource.UNKNOWN_LENGTH);
      Objects.requireNonNull(provider.open(offer), "the provider answered null")
          .whenComplete(
              new FirstEnd<BodySource>(
                  (source, failure) -> answer(answer, source, failure),
                  source -> onRepeated(answer, source)));
    } catch (Exception | Error e) {
      refuse(answer, e);
    }
  }

  private void refuse(DeferredAnswer answer, Throwable failure) {
    faults.onFailure(answer.peer(), failure);
    answer.fail(
        HandlerFailure.statusOf(failure, CallStatus.REFUSED),
        FailureText.of(failure),
        HandlerFailure.retryAfterMs(failure));
  }

  private void answer(
      DeferredAnswer answer, @Nullable BodySource source, @Nullable Throwable failure) {
    if (source != null) {
      answer(answer, source);
    } else if (failure == null) {
      faults.onFailure(answer.peer(), null);
      answer.refuse("the provider named no source");
    } else {
      refuse(answer, failure);
    }
  }

  private void answer(DeferredAnswer answer, BodySource source) {
    MeasuredSource measured;
    try {
      measured = new MeasuredSource(source);
    } catch (RuntimeException | Error e) {
      faults.onFailure(answer.peer(), e);
      close(source, () -> answer.fail(CallStatus.SOURCE_FAILED, FailureText.of(e)));
      return;
    }
    byte[] headers;
    try {
      headers =
          Objects.requireNonNull(source.responseHeaders(), "the source's headers are null")
              .encode();
    } catch (RuntimeException | Error e) {
      faults.onFailure(answer.peer(), e);
      close(source, () -> answer.refuse(FailureText.of(e)));
      return;
    }
    answer.answer(headers, measured, protection);
  }

  /** Reports the second answer as a fault, and closes its source, which has no reader. */
  private void onRepeated(DeferredAnswer answer, @Nullable BodySource source) {
    faults.onFailure(
        answer.peer(), new IllegalStateException("the provider's stage has ended more than once"));
    if (source != null) {
      source.close();
    }
  }

  private static void close(BodySource source, Runnable next) {
    try {
      source.close();
    } finally {
      next.run();
    }
  }
}
