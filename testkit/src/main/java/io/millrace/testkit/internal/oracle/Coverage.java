package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.drawn.Drawn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Counts how often runs reached rare states, so that a batch of seeds that never does is noticed.
 * Not safe for several threads: a coverage for each run, merged afterwards.
 */
public final class Coverage {
  private static final Mark[] MARKS = Mark.values();

  private final long[] hits = new long[MARKS.length];
  private final Probes probes = new Probes();
  private final Drawn drawn = new Drawn();

  /** Events that are rare, or must at least have happened once in a batch. */
  public enum Mark {
    /** A region was granted after another peer had held the region. */
    REGION_GRANTED_AGAIN,
    /** The same sender filled a region once more. */
    REGION_REUSED,
    /** A key became void before anything was written. */
    REVOKED_UNUSED,
    /** A key became void while a fill was incomplete. */
    REVOKED_WRITTEN,
    /** A key became void while an application thread read the region. */
    REVOKED_WHILE_READ,
    /** A key became void when a fill was taken out. */
    REVOKED_AFTER_FILL,
    /** A region was taken back because nothing came for the longest time allowed. */
    REVOKED_IDLE,
    /** A region was taken back because nothing came and other senders waited. */
    REVOKED_UNDER_PRESSURE,
    /** A fill was given up before its first byte arrived, or was empty. */
    FILL_DISCARDED,
    /** A record with a wrong tag was written again. */
    RECORD_WRITTEN_AGAIN,
    /** A sender was told that no region can be granted. */
    REGIONS_EXHAUSTED,
    /** A chunk was refused because its key was void. */
    WRITE_REVOKED,
    /** A chunk was refused because its fill was over. */
    WRITE_STALE,
    /** A chunk was refused because the region had another holder or another key. */
    WRITE_FOREIGN,
    /** A chunk left too many gaps to be kept. */
    WRITE_DISCARDED,
    /** A one-sided write was completed. */
    WRITE_PLACED,
    /** A NIC refused a one-sided write because its key was void. */
    WRITE_KEY_UNKNOWN,
    /** A one-sided write was given up without an answer. */
    WRITE_UNANSWERED,
    /** Bytes of a one-sided write landed in a region whose key was void. */
    WRITE_LANDED_LATE,
    /**
     * Bytes of a one-sided write landed in a region that had been granted again, since the region
     * rested too short.
     */
    WRITE_LANDED_FOREIGN,
    /** A life accepted packets of a later incarnation of a peer than the known incarnation. */
    PEER_REPLACED,
    /** A path went on to another key than its first; counts the keys. */
    KEY_ROTATED,
    /** A packet came a second time. */
    DUPLICATE_DROPPED,

    /** A peer told of keys without any further use. */
    KEY_RETIRED,

    /** A path went on under a new secret. */
    PATH_RENEWED,

    /** A peer may have lost the secret of a path, and was asked. */
    PATH_DOUBTED,

    /** A path went on by another NIC. */
    RAIL_MOVED,

    /** A node answered a packet of a path unknown to the node. */
    PATH_UNKNOWN,
    /** A packet below the window would have opened a transfer, and its sender was asked. */
    TRANSFER_CHALLENGED,
    /** The sender of a challenged transfer claimed the transfer. */
    CHALLENGE_CONFIRMED,
    /** The sender of a challenged transfer did not claim the transfer, or no longer. */
    CHALLENGE_RESET,
    /** A packet had a wrong tag. */
    PACKET_NOT_AUTHENTIC,
    /** A packet was declared lost. */
    PACKET_LOST,
    /** A frame was sent again. */
    FRAME_RETRANSMITTED,
    /** A frame went in pieces, since it was longer than the datagrams of its path. */
    FRAME_CUT,
    /** Bytes of chunks were sent again; counts the bytes. */
    CHUNK_RETRANSMITTED,
    /** A path could not send because every send buffer was posted. */
    SEND_BUFFER_STALL,
    /** A request came a second time. */
    DUPLICATE_REQUEST,
    /** A call had another outcome than OK. */
    CALL_FAILED,
    /** A body was sent to its end. */
    BODY_SENT,
    /** A stream was opened, by either side. */
    STREAM_OPENED,
    /** A packet counted as not received, since one of its frames came too early. */
    PACKET_NOT_TAKEN,
    /** A later part of a body was taken out unread, since an earlier part needed its memory. */
    FILL_WITHDRAWN,
    /** A sender paused, since its unfinished writes were revoked again and again. */
    REVOCATION_PAUSED,
    /** Tokens were granted ahead of need. */
    GRANTED_AHEAD,
    /** A life ended by a crash. */
    CRASH,
    /** A peer was given up, or was too busy, where a rule asked for the reason. */
    FAILURE_JUDGED,
    /**
     * A call or stream ended, well or not, where no fault could have been the reason of its
     * failure.
     */
    PEACE_JUDGED,
    /**
     * A call ended since a transport was closed, and a rule asked whether the transport was closed.
     */
    CLOSE_JUDGED,
    /** A transfer did not end before its deadline, and a rule of a scenario has seen this end. */
    CALL_EXPIRED,
    /** A transfer was given up by its caller, and a rule of a scenario has seen this end. */
    CALL_CANCELLED,
    /** A peer learnt that its caller had given up a call. */
    CALL_ABANDONED,
    /** An answer came after its call had been given up. */
    ANSWER_DROPPED,
    /** A handler called another node before it answered. */
    HANDLER_CALLED
  }

  /** Creates a coverage without hits. */
  public Coverage() {}

  /** It happened. */
  public void hit(Mark mark) {
    hits[mark.ordinal()]++;
  }

  /** Counts a mark {@code times} times. */
  public void hit(Mark mark, long times) {
    hits[mark.ordinal()] += times;
  }

  /** Returns how often a mark was hit. */
  public long hits(Mark mark) {
    return hits[mark.ordinal()];
  }

  /** The events that the scenario itself must reach. */
  public Probes probes() {
    return probes;
  }

  /** The numbers that the generators drew. */
  public Drawn drawn() {
    return drawn;
  }

  /** Adds the hits of another run. */
  public void merge(Coverage other) {
    drawn.merge(other.drawn);
    probes.merge(other.probes);
    for (int i = 0; i < hits.length; i++) {
      hits[i] += other.hits[i];
    }
  }

  /** Returns the wanted marks without a hit, in the order of the marks. */
  public List<Mark> missing(Collection<Mark> wanted) {
    List<Mark> missing = new ArrayList<>();
    for (Mark mark : MARKS) {
      if (wanted.contains(mark) && hits(mark) == 0) {
        missing.add(mark);
      }
    }
    return missing;
  }

  /** All marks with their numbers, a line each. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Mark mark : MARKS) {
      text.append(mark).append(' ').append(hits(mark)).append('\n');
    }
    return text.toString();
  }
}
