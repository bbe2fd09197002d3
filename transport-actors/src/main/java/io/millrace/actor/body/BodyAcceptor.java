package io.millrace.actor.body;

import io.millrace.actor.submission.FailureText;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

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
      String peer, int priority, byte[] headers, long payloadBytes) throws Exception;

  /** Asks; one of the two hears where to, or why not, on any thread. */
  default void ask(
      String peer,
      int priority,
      byte[] headers,
      long payloadBytes,
      Consumer<BodyTarget> naming,
      Consumer<String> refusing) {
    try {
      accept(peer, priority, headers, payloadBytes)
          .whenComplete(
              (target, failure) -> {
                if (target != null) {
                  naming.accept(target);
                } else {
                  refusing.accept(
                      failure == null
                          ? "the receiver named no place for the bytes"
                          : FailureText.of(failure));
                }
              });
    } catch (Exception e) {
      refusing.accept(FailureText.of(e));
    } catch (Error e) {
      refusing.accept(FailureText.of(e));
      throw e;
    }
  }
}
