package io.millrace.api.actor;

import io.millrace.actor.pool.DrainReport;

/** How a {@link TransportCommand.Drain} ended. */
public sealed interface DrainReply {
  /**
   * The transport has nothing open any more, or its time is over.
   *
   * @param left what had not come to its end
   */
  record Drained(DrainReport left) implements DrainReply {}

  /** The transport was closed before anything was counted. */
  record Failed(String text) implements DrainReply {}
}
