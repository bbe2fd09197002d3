package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.FiredFault;
import java.util.List;

/**
 * The parts that a run was to keep, and the parts that the run had.
 *
 * @param keep the parts that the run was to keep
 * @param missing named faults, steps and settings that the run does not have, as in the text of
 *     {@code keep}; a usual setting counts as missing
 * @param packetsNamed number of named faults of datagrams
 * @param packetsFired number of named faults of datagrams that happened; a missing fault lies
 *     behind the end of the run, or its place has another datagram by now
 */
public record KeptParts(Keep keep, List<String> missing, int packetsNamed, int packetsFired) {
  /** The rule broken by a run without a part that the run was to keep. */
  static final String RULE = "keep";

  static KeptParts of(Keep keep, FullRun run, List<FiredFault> fired) {
    return new KeptParts(
        keep,
        keep.missing(run.plan().faults(), run.plan().steps(), run.swarm().varied()),
        keep.packets().size(),
        (int) keep.packets().stream().distinct().filter(fired::contains).count());
  }

  /** Describes the missing parts, as a sentence. */
  String complaint() {
    return "the run has no "
        + String.join(", ", missing)
        + " any more: the kept run tests something else now; find the failure anew, or give it up";
  }

  /**
   * Describes how many named faults of datagrams happened, for people; empty without named faults.
   */
  public String packetWords() {
    return packetsNamed == 0
        ? ""
        : packetsFired + " of " + packetsNamed + " named faults of datagrams happened";
  }
}
