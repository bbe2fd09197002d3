package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.FiredFault;
import java.util.ArrayList;
import java.util.List;

/**
 * What is left of a failing run.
 *
 * @param keep what may happen; with it the seed fails by the same rule
 * @param result how that run went
 * @param runs how many runs it took
 */
public record Shrunk(Keep keep, RunResult result, int runs) {
  private static final int NODE_SHIFT = 32;
  private static final int NIC_BITS = 8;
  private static final int NODE_MASK = 0xFFFF;

  /** What happens in it, one line each. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    result.happened().forEach(event -> words.add(event.toString()));
    result.unmet().forEach(event -> words.add("never met, " + event));
    result.varied().forEach(setting -> words.add(setting.toString()));
    result.packetFaults().forEach(fault -> words.add(words(fault)));
    return words;
  }

  /** Planned faults and faults of datagrams that are left. */
  public int faults() {
    long planned = result.happened().stream().filter(PlannedEvent::isFault).count();
    return (int) planned + result.packetFaults().size();
  }

  private static String words(FiredFault fault) {
    long from = fault.link() >>> NODE_SHIFT & NODE_MASK;
    long to = fault.link() >>> NIC_BITS & NODE_MASK;
    return "datagram " + fault.ordinal() + " from n" + from + " to n" + to + ": " + fault.kind();
  }
}
