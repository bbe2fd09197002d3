package io.millrace.samples.sim;

import io.millrace.testkit.internal.oracle.Coverage.Mark;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The rare situations that many seeds of a scenario must come to; without these situations their
 * rules say nothing. The first 60 seeds come to all situations already. Challenges are not
 * included: a challenge takes a packet overtaken by hundreds of packets, and only a seed in
 * hundreds comes to this. A test of their own causes challenges.
 */
public final class RareThings {
  private static final Set<Mark> OF_CALLS =
      EnumSet.of(
          Mark.REGION_GRANTED_AGAIN,
          Mark.REGION_REUSED,
          Mark.REVOKED_UNUSED,
          Mark.RECORD_WRITTEN_AGAIN,
          Mark.REGIONS_EXHAUSTED,
          Mark.WRITE_STALE,
          Mark.PEER_REPLACED,
          Mark.KEY_ROTATED,
          Mark.DUPLICATE_DROPPED,
          Mark.KEY_RETIRED,
          Mark.PATH_RENEWED,
          Mark.PATH_DOUBTED,
          Mark.RAIL_MOVED,
          Mark.PATH_UNKNOWN,
          Mark.PACKET_NOT_AUTHENTIC,
          Mark.PACKET_LOST,
          Mark.FRAME_RETRANSMITTED,
          Mark.CHUNK_RETRANSMITTED,
          Mark.SEND_BUFFER_STALL,
          Mark.DUPLICATE_REQUEST,
          Mark.CALL_FAILED,
          Mark.BODY_SENT,
          Mark.CRASH,
          Mark.FAILURE_JUDGED,
          Mark.PEACE_JUDGED,
          Mark.CLOSE_JUDGED,
          Mark.CALL_EXPIRED,
          Mark.CALL_CANCELLED,
          Mark.CALL_ABANDONED,
          Mark.ANSWER_DROPPED,
          Mark.HANDLER_CALLED);

  /** The same situations with streams, broadcasts and tokens ahead of need. */
  private static final Set<Mark> OF_ALL =
      with(
          OF_CALLS,
          Mark.REVOKED_WRITTEN,
          Mark.REVOKED_AFTER_FILL,
          Mark.REVOKED_IDLE,
          Mark.REVOKED_UNDER_PRESSURE,
          Mark.WRITE_REVOKED,
          Mark.WRITE_FOREIGN,
          Mark.STREAM_OPENED,
          Mark.PACKET_NOT_TAKEN,
          Mark.GRANTED_AHEAD);

  /** On a fabric nothing comes twice or damaged, but writes land late. */
  private static final Set<Mark> OF_A_FABRIC =
      EnumSet.of(
          Mark.REVOKED_WRITTEN,
          Mark.REVOKED_AFTER_FILL,
          Mark.WRITE_PLACED,
          Mark.WRITE_KEY_UNKNOWN,
          Mark.WRITE_UNANSWERED,
          Mark.WRITE_LANDED_LATE,
          Mark.FILL_DISCARDED,
          Mark.REVOCATION_PAUSED,
          Mark.STREAM_OPENED,
          Mark.GRANTED_AHEAD,
          Mark.RAIL_MOVED,
          Mark.CRASH,
          Mark.FAILURE_JUDGED,
          Mark.PEACE_JUDGED,
          Mark.CLOSE_JUDGED,
          Mark.CALL_EXPIRED,
          Mark.CALL_CANCELLED,
          Mark.CALL_ABANDONED,
          Mark.ANSWER_DROPPED,
          Mark.HANDLER_CALLED);

  private static final Set<Mark> OF_CRASHES =
      EnumSet.of(Mark.PEER_REPLACED, Mark.CALL_FAILED, Mark.BODY_SENT, Mark.CRASH);

  private static final Set<Mark> OF_LOSSES =
      EnumSet.of(
          Mark.PACKET_LOST, Mark.FRAME_RETRANSMITTED, Mark.CHUNK_RETRANSMITTED, Mark.BODY_SENT);

  private static final Set<Mark> OF_NOTHING_WRONG = EnumSet.of(Mark.BODY_SENT, Mark.STREAM_OPENED);

  private RareThings() {}

  private static EnumSet<Mark> with(Set<Mark> some, Mark... more) {
    EnumSet<Mark> all = EnumSet.copyOf(some);
    all.addAll(List.of(more));
    return all;
  }

  /**
   * Returns the situations that seeds of this scenario must come to; empty for a scenario with a
   * bug on purpose.
   */
  public static Set<Mark> of(String scenario) {
    return switch (scenario) {
      case "default" -> EnumSet.copyOf(OF_ALL);
      case "calls" -> EnumSet.copyOf(OF_CALLS);
      case "fabric" -> EnumSet.copyOf(OF_A_FABRIC);
      case "families" -> with(OF_A_FABRIC, Mark.FRAME_CUT);
      case "crash" -> EnumSet.copyOf(OF_CRASHES);
      case "loss" -> EnumSet.copyOf(OF_LOSSES);
      case "clean", "clean-fabric" -> EnumSet.copyOf(OF_NOTHING_WRONG);
      default -> EnumSet.noneOf(Mark.class);
    };
  }
}
