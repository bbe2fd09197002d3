package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.LossReason;
import io.millrace.testkit.internal.net.NetworkObserver;
import io.millrace.testkit.internal.net.PacketView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The last datagrams of a run, and messages of a fabric, for people who look for the cause of a
 * failure.
 */
public final class LastDatagrams implements NetworkObserver {
  private static final int MOST = 8;
  private static final int MOST_TYPES = 5;
  private static final double NS_PER_MS = 1e6;

  private final Deque<Seen> last = new ArrayDeque<>();

  private record Seen(
      long timeNs, String from, String to, int bytes, String what, List<FrameNote> notes) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%.3f ms: %s to %s, %d B: %s%s",
          timeNs / NS_PER_MS,
          from,
          to,
          bytes,
          what,
          frames(notes));
    }
  }

  /** None yet. */
  public LastDatagrams() {}

  /** Returns a line for each datagram, the oldest first. */
  public List<String> words() {
    return last.stream().map(Seen::toString).toList();
  }

  @Override
  public void onSent(PacketView packet, long nowNs) {
    add(packet, nowNs, "is sent");
  }

  @Override
  public void onDelivered(PacketView packet, long nowNs) {
    add(packet, nowNs, packet.isDamaged() ? "arrives damaged" : "arrives");
  }

  @Override
  public void onLost(PacketView packet, LossReason reason, long nowNs) {
    add(packet, nowNs, "is lost (" + reason + ")");
  }

  private void add(PacketView packet, long nowNs, String what) {
    if (last.size() == MOST) {
      last.removeFirst();
    }
    String from = "n" + packet.source().node();
    String to = "n" + packet.destination().node();
    last.add(new Seen(nowNs, from, to, packet.length(), what, packet.notes()));
  }

  private static String frames(List<FrameNote> notes) {
    if (notes.isEmpty()) {
      return "";
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    notes.forEach(note -> counts.merge(note.frame().toString(), 1, Integer::sum));
    List<String> words = new ArrayList<>();
    counts.forEach((frame, count) -> words.add(count == 1 ? frame : frame + " x " + count));
    int shown = Math.min(MOST_TYPES, words.size());
    String more = shown < words.size() ? ", ..." : "";
    return ", " + String.join(", ", words.subList(0, shown)) + more;
  }
}
