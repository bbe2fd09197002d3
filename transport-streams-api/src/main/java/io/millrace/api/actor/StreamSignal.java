package io.millrace.api.actor;

import io.millrace.api.UnaryResponse;
import java.util.Optional;
import org.apache.pekko.stream.QueueOfferResult;
import org.jspecify.annotations.Nullable;

/** What the ends of a stream tell its actor; each carries a value or a failure. */
sealed interface StreamSignal extends StreamCommand {
  record HeadersCame(byte @Nullable [] bytes, @Nullable Throwable failure)
      implements StreamSignal {}

  /** Without an element and a failure: there are no more. */
  record Pulled(Optional<byte[]> element, @Nullable Throwable failure) implements StreamSignal {}

  record ElementsOver(@Nullable Throwable failure) implements StreamSignal {}

  record PushTaken(@Nullable QueueOfferResult result, @Nullable Throwable failure)
      implements StreamSignal {}

  record PushesOver(@Nullable Throwable failure) implements StreamSignal {}

  /** This side's response was given, or is not wanted. */
  record AnswerOver() implements StreamSignal {}

  record ResponseCame(@Nullable UnaryResponse response, @Nullable Throwable failure)
      implements StreamSignal {}
}
