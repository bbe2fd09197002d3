package io.millrace.testkit.internal.scenario;

import io.millrace.testkit.internal.net.FiredFault;
import java.util.List;

/**
 * What a run was to keep, and what it has of that.
 *
 * @param keep what it was to keep
 * @param missing named faults, steps and settings that it does not have, as in the text of {@code
 *     keep}; a setting that is as usual is none
 * @param packetsNamed named faults of datagrams
 * @param packetsFired those of them that happened; the others lie behind the end, or where another
 *     datagram is by now
 */
public record KeptParts(Keep keep, List<String> missing, int packetsNamed, int packetsFired) {
  /** The rule that a run breaks which has not what it was to keep. */
  static final String RULE = "keep";

  static KeptParts of(Keep keep, FullRun run, List<FiredFault> fired) {
    return new KeptParts(
        keep,
        keep.missing(run.plan().faults(), run.plan().steps(), run.swarm().varied()),
        keep.packets().size(),
        (int) keep.packets().stream().distinct().filter(fired::contains).count());
  }

  /** What is missing, as a sentence. */
  String complaint() {
    return "the run has no "
        + String.join(", ", missing)
        + " any more: what was kept tests something else now; find it anew, or give it up";
  }

  /** How many faults of datagrams happened of those that were named, for people; empty if none. */
  public String packetWords() {
    return packetsNamed == 0
        ? ""
        : packetsFired + " of " + packetsNamed + " named faults of datagrams happened";
  }
}
