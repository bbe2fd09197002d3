package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.FiredFault;
import java.util.ArrayList;
import java.util.List;

/**
 * The remainder of a failing run.
 *
 * @param keep the kept parts; with these parts the seed breaks the same rule
 * @param result the result of this run
 * @param runs number of runs that the shrinker took
 */
public record Shrunk(Keep keep, RunResult result, int runs) {
  private static final int NODE_SHIFT = 32;
  private static final int NIC_BITS = 8;
  private static final int NODE_MASK = 0xFFFF;

  /** Returns the events of the run, a line each. */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    result.happened().forEach(event -> words.add(event.toString()));
    result.unmet().forEach(event -> words.add("never met, " + event));
    result.varied().forEach(setting -> words.add(setting.toString()));
    result.packetFaults().forEach(fault -> words.add(words(fault)));
    return words;
  }

  /** Number of planned faults and faults of datagrams in the remainder. */
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
