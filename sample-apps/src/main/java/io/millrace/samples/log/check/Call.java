package io.millrace.samples.log.check;

import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a client, as the client saw it.
 *
 * @param client who, for people
 * @param operation what was asked
 * @param startNs when it was asked
 * @param endNs when the answer came; {@link Long#MAX_VALUE} if none came: it may have been done at
 *     any time after its start, or never
 * @param result the answer, or null if none came
 */
public record Call(
    String client, Operation operation, long startNs, long endNs, @Nullable Result result) {
  /** Whether an answer came. */
  public boolean isAnswered() {
    return result != null;
  }
}
