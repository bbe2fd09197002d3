package io.millrace.api.actor;

import io.millrace.api.UnaryResponse;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.protocol.transfer.CallOutcome;
import java.util.List;

/** How a call or a bulk transfer ended. */
public sealed interface CallReply {
  /** The number of the command. */
  long correlation();

  /** The call was answered. */
  record Answered(long correlation, UnaryResponse response) implements CallReply {}

  /** All bytes arrived and were verified. */
  record Transferred(long correlation, BulkReceipt receipt) implements CallReply {}

  /**
   * All transfers of a broadcast have ended.
   *
   * @param outcomes one for each recipient, in the order of the command
   */
  record Delivered(long correlation, List<RecipientOutcome> outcomes) implements CallReply {
    /** Keeps a copy. */
    public Delivered {
      outcomes = List.copyOf(outcomes);
    }
  }

  /**
   * How a broadcast went to one recipient.
   *
   * @param peer as the command named it
   * @param bytes of payload that the peer has verified; 0 unless {@code OK}
   * @param text what went wrong; empty if {@code OK}
   */
  record RecipientOutcome(String peer, CallOutcome outcome, long bytes, String text) {}

  /**
   * It failed.
   *
   * @param outcome how; never {@link CallOutcome#OK}
   * @param text the same for people
   */
  record Failed(long correlation, CallOutcome outcome, String text) implements CallReply {}
}
