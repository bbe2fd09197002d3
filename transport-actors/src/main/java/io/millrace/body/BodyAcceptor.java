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
   * The headers are there of what a peer writes, or of its answer to a read.
   *
   * @param payloadBytes what follows, or {@link BodyTerms#UNKNOWN}
   * @return where to, or the failure that tells the peer why not
   */
  CompletionStage<? extends BodyTarget> accept(
      Caller caller, int priority, byte[] headers, long payloadBytes) throws Exception;

  /** Asks; one of the two hears where to, or why not, on any thread. */
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

  /** The stage has called back once more: nobody writes to what it names now. */
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
