package io.millrace.actor.body;

import java.util.concurrent.CompletionStage;

/** Decides where the payload of a bulk write goes. Called on the executor. */
@FunctionalInterface
public interface BodyAcceptor {
  /**
   * A peer wants to write.
   *
   * @param payloadBytes what follows, or {@link BodyTerms#UNKNOWN}
   * @return where to, or the failure that tells the peer why not
   */
  CompletionStage<? extends BodyTarget> accept(
      String peer, int priority, byte[] headers, long payloadBytes) throws Exception;
}
