package io.millrace.event;

import java.util.ArrayList;
import java.util.List;

/**
 * Remembers events as lines of text, for tests and tools: the event's name and its fields. Of data
 * events the recorder remembers dropped and lost packets alone, as counts. Safe on any thread;
 * keeps the first {@code limit} lines and counts the rest.
 */
public final class RecordingEvents extends EventText {
  private final int limit;
  private final List<String> lines = new ArrayList<>();
  private final long[] drops = new long[DropReason.values().length];
  private long packetsLost;
  private long linesDropped;

  /** Keeps at most {@code limit} lines. */
  public RecordingEvents(int limit) {
    this.limit = limit;
  }

  /** The lines so far. */
  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** The number of lines that start with this event's name. */
  public synchronized long count(String name) {
    return lines.stream().filter(line -> line.startsWith(name + " ")).count();
  }

  /** Datagrams dropped for this reason. */
  public synchronized long drops(DropReason reason) {
    return drops[reason.ordinal()];
  }

  /** Packets declared lost. */
  public synchronized long packetsLost() {
    return packetsLost;
  }

  /** Lines beyond the limit. */
  public synchronized long linesDropped() {
    return linesDropped;
  }

  @Override
  public synchronized void onPacketDropped(int worker, DropReason reason) {
    drops[reason.ordinal()]++;
  }

  @Override
  public synchronized void onPacketLost(int worker, String peer, long packetNumber, int bytes) {
    packetsLost++;
  }

  @Override
  public void onPeerHealth(PeerHealthChange change) {
    onEvent(
        EventKind.PEER_HEALTH,
        "PeerHealth worker="
            + change.worker()
            + " peer="
            + change.peer()
            + " from="
            + change.from()
            + " to="
            + change.to());
  }

  @Override
  protected synchronized void onEvent(EventKind kind, String text) {
    if (kind.level() == EventKind.Level.DATA) {
      return;
    }
    if (lines.size() < limit) {
      lines.add(text);
    } else {
      linesDropped++;
    }
  }
}
