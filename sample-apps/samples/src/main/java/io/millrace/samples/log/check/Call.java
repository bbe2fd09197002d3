package io.millrace.samples.log.check;

import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a client, as the client saw the operation.
 *
 * @param client the name of the client, for people
 * @param operation the operation asked for
 * @param startNs the time of the question
 * @param endNs the time of the answer; {@link Long#MAX_VALUE} without an answer: the operation may
 *     have been done at any time after its start, or never
 * @param result the answer, or null without an answer
 */
public record Call(
    String client, Operation operation, long startNs, long endNs, @Nullable Result result) {
  /** Returns whether an answer came. */
  public boolean isAnswered() {
    return result != null;
  }
}
