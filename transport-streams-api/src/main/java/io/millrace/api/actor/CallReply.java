package io.millrace.api.actor;

import io.millrace.api.UnaryResponse;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.protocol.transfer.CallOutcome;

/** How a call or a bulk transfer ended. */
public sealed interface CallReply {
  /** The number of the command. */
  long correlation();

  /** The call was answered. */
  record Answered(long correlation, UnaryResponse response) implements CallReply {}

  /** All bytes arrived and were verified. */
  record Transferred(long correlation, BulkReceipt receipt) implements CallReply {}

  /**
   * It failed.
   *
   * @param outcome how; never {@link CallOutcome#OK}
   * @param text the same for people
   */
  record Failed(long correlation, CallOutcome outcome, String text) implements CallReply {}
}
