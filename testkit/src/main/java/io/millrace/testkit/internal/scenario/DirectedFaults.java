package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.drawn.FaultKind;
import io.millrace.testkit.internal.net.FrameNote;
import io.millrace.testkit.internal.net.PacketMonitor;
import io.millrace.testkit.internal.net.PacketView;
import io.millrace.testkit.internal.net.Verdict;
import io.millrace.testkit.sim.FrameMatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Planned faults that wait for a frame. If several faults match the same datagram, the fault
 * planned first happens, and the other faults have missed their frame. Simulation thread only.
 */
final class DirectedFaults implements PacketMonitor {
  private static final class Directed {
    private final PlannedEvent event;
    private final FrameMatch match;
    private final Verdict verdict;
    private final long withheldNs;
    private long occurrences;
    private boolean isMet;

    /** Time until which frames of the withheld frame's type and subject get lost, ns. */
    private long withheldUntilNs;

    private long withheldLink;
    private long withheldSubject;

    private Directed(PlannedEvent event, FrameMatch match, Verdict verdict, long withheldNs) {
      this.event = event;
      this.match = match;
      this.verdict = verdict;
      this.withheldNs = withheldNs;
    }

    private FaultKind kind() {
      return switch (verdict) {
        case Verdict.Drop _ -> FaultKind.FRAME_LOST;
        case Verdict.Duplicate _ -> FaultKind.FRAME_TWICE;
        case Verdict.Corrupt _ -> FaultKind.FRAME_DAMAGED;
        case Verdict.Again _ -> FaultKind.FRAME_REPLAYED;
        case Verdict.Delay _ -> withheldNs > 0 ? FaultKind.FRAME_WITHHELD : FaultKind.FRAME_LATE;
        case Verdict.Pass _ -> FaultKind.OWN;
      };
    }

    private boolean isWithheld(PacketView packet) {
      if (packet.sentNs() >= withheldUntilNs || packet.link() != withheldLink) {
        return false;
      }
      List<FrameNote> notes = packet.notes();
      for (int i = 0; i < notes.size(); i++) {
        FrameNote note = notes.get(i);
        if (note.subject() == withheldSubject && match.isOf(note.frame(), note.subject())) {
          return true;
        }
      }
      return false;
    }

    private void withhold(PacketView packet) {
      List<FrameNote> notes = packet.notes();
      for (int i = 0; i < notes.size() && withheldNs > 0; i++) {
        FrameNote note = notes.get(i);
        if (match.isOf(note.frame(), note.subject())) {
          withheldUntilNs = packet.sentNs() + withheldNs;
          withheldLink = packet.link();
          withheldSubject = note.subject();
          return;
        }
      }
    }

    private boolean isFor(PacketView packet) {
      return isIn(packet) && match.isFor(++occurrences);
    }

    private boolean isIn(PacketView packet) {
      List<FrameNote> notes = packet.notes();
      for (int i = 0; i < notes.size(); i++) {
        FrameNote note = notes.get(i);
        if (match.isOf(note.frame(), note.subject())) {
          return match.isOn(packet.source().node(), packet.destination().node());
        }
      }
      return false;
    }
  }

  private final PlannedFaults faults;
  private final Plan plan;
  private final List<Directed> waiting = new ArrayList<>();

  DirectedFaults(PlannedFaults faults, Plan plan) {
    this.faults = faults;
    this.plan = plan;
  }

  /** Adds a fault, unless the run leaves this fault out. */
  void add(FrameMatch match, Verdict verdict, long withheldNs, String words) {
    PlannedEvent event = plan.await(match + words);
    if (event != null) {
      waiting.add(new Directed(event, match, verdict, withheldNs));
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Returns the faults that have not happened; a copy. */
  List<PlannedEvent> unmet() {
    return waiting.stream().filter(each -> !each.isMet).map(each -> each.event).toList();
  }

  @Override
  public Verdict onPacket(PacketView packet) {
    Verdict verdict = Verdict.PASS;
    if (packet.notes().isEmpty() || faults.isHealed()) {
      return verdict;
    }
    for (int i = 0; i < waiting.size(); i++) {
      Directed directed = waiting.get(i);
      boolean isFor = directed.isFor(packet);
      if (!(verdict instanceof Verdict.Pass)) {
        continue;
      }
      if (isFor) {
        verdict = directed.verdict;
        directed.withhold(packet);
        onMet(directed, packet);
      } else if (directed.isWithheld(packet)) {
        verdict = Verdict.DROP;
      }
    }
    return verdict;
  }

  private void onMet(Directed directed, PacketView packet) {
    if (!directed.isMet) {
      directed.isMet = true;
      plan.onMet(directed.event);
    }
    int from = packet.source().node();
    faults.onDirected(from, packet.destination().node(), directed.verdict, directed.kind());
  }
}
