package io.millrace.api;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.peer.DeferredCall;
import io.millrace.actor.peer.DeferredHandler;
import io.millrace.actor.submission.FailureText;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.api.bulk.BulkProvider;
import io.millrace.crypto.Protection;
import io.millrace.wire.codec.CallStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers a bulk read with the source that the application names. */
final class ProviderHandler implements DeferredHandler {
  private final BulkProvider provider;
  private final Protection protection;

  ProviderHandler(BulkProvider provider, Protection protection) {
    this.provider = provider;
    this.protection = protection;
  }

  @Override
  public void onCall(DeferredCall call) {
    BulkOffer offer =
        new BulkOffer(call.peer(), call.priority(), call.headers(), BodySource.UNKNOWN_LENGTH);
    call.forgetRequest();
    try {
      provider.open(offer).whenComplete((source, failure) -> answer(call, source, failure));
    } catch (Exception e) {
      refuse(call, e);
    }
  }

  private static void refuse(DeferredCall call, Throwable failure) {
    call.fail(HandlerFailure.statusOf(failure, CallStatus.REFUSED), FailureText.of(failure));
  }

  private void answer(DeferredCall call, @Nullable BodySource source, @Nullable Throwable failure) {
    if (source != null) {
      answer(call, source);
    } else if (failure == null) {
      call.refuse("the provider named no source");
    } else {
      refuse(call, failure);
    }
  }

  private void answer(DeferredCall call, BodySource source) {
    byte[] headers;
    try {
      headers = Objects.requireNonNull(source.responseHeaders(), "the source's headers are null");
    } catch (RuntimeException | Error e) {
      try {
        source.close();
      } finally {
        call.refuse(FailureText.of(e));
      }
      return;
    }
    call.answer(headers, source, protection);
  }
}
