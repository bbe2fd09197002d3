package io.millrace.body;

import io.millrace.access.admission.Caller;
import io.millrace.ends.FailureText;
import io.millrace.ends.FirstEnd;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.OverloadedException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Decides where the payload of a bulk transfer goes. Called on the executor. */
@FunctionalInterface
public interface BodyAcceptor {
  /**
   * The headers have come, of a peer's write or of a peer's answer to a read.
   *
   * @param payloadBytes the number of bytes behind the headers, or {@link BodyTerms#UNKNOWN}
   * @return the target, or a failure with the reason for the peer
   */
  CompletionStage<? extends BodyTarget> accept(
      Caller caller, int priority, byte[] headers, long payloadBytes) throws Exception;

  /**
   * Asks for the target; either {@code naming} or {@code refusing} hears the answer, on any thread.
   */
  default void ask(
      Caller caller,
      int priority,
      byte[] headers,
      long payloadBytes,
      Consumer<BodyTarget> naming,
      BiConsumer<CallOutcome, String> refusing) {
    try {
      accept(caller, priority, headers, payloadBytes)
          .whenComplete(
              new FirstEnd<BodyTarget>(
                  (target, failure) -> {
                    if (target != null) {
                      naming.accept(target);
                    } else {
                      refuse(refusing, failure);
                    }
                  },
                  BodyAcceptor::abortSurplus));
    } catch (Exception e) {
      refuse(refusing, e);
    } catch (Error e) {
      refuse(refusing, e);
      throw e;
    }
  }

  /** The stage has called back once more: no bytes go to the target named now. */
  private static void abortSurplus(@Nullable BodyTarget target) {
    if (target != null) {
      target.abort(new IllegalStateException("another target was named before"));
    }
  }

  private static void refuse(
      BiConsumer<CallOutcome, String> refusing, @Nullable Throwable failure) {
    if (failure == null) {
      refusing.accept(CallOutcome.REFUSED, "the receiver named no place for the bytes");
    } else {
      refusing.accept(
          FailureText.cause(failure) instanceof OverloadedException
              ? CallOutcome.OVERLOADED
              : CallOutcome.REFUSED,
          FailureText.of(failure));
    }
  }
}
