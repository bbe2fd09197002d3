package io.millrace.samples.log.node;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides whether a replica takes part: whether it may promise and accept. An empty directory may
 * stand in place of one that held promises, and a replica that has forgotten them can undo what was
 * chosen. Others know: each replica introduces the identity of its directory to all others before
 * it takes part, and they keep it on their disks.
 *
 * <ul>
 *   <li>If one of them knows another identity, the replica is refused, at any time.
 *   <li>A new replica takes part when a majority of all replicas, without itself, has noted it: no
 *       majority can have counted a vote of an earlier directory without one of them.
 *   <li>A new replica takes part in a new log when it makes a majority with replicas that noted it
 *       while they were new themselves. The others have some time to object.
 *   <li>A replica that takes the place of a lost one needs the answers of all others. It takes part
 *       when it holds all that they have promised and accepted.
 * </ul>
 *
 * <p>Its shell calls it in the turns of a replica. Time comes as ticks.
 */
final class Admission {
  /** Where a replica is. */
  enum Stage {
    WAITING,
    RECOVERING,
    ADMITTED,
    REFUSED
  }

  private final int self;
  private final int members;
  private final String identity;
  private final boolean isReplacing;
  private final int graceTicks;
  private final Map<Integer, Acquaintance> answers = new TreeMap<>();
  private Stage stage;
  private int ticks;
  private int refusedBy = -1;

  /**
   * A replica of so many.
   *
   * @param graceTicks how long others may object to a new log
   */
  Admission(int self, int members, Identities.Own own, boolean isReplacing, int graceTicks) {
    this.self = self;
    this.members = members;
    this.identity = own.identity();
    this.isReplacing = isReplacing;
    this.graceTicks = graceTicks;
    stage = own.isAdmitted() ? Stage.ADMITTED : Stage.WAITING;
    decide();
  }

  Stage stage() {
    return stage;
  }

  /** Number of the replica that knows another identity; -1 if none does. */
  int refusedBy() {
    return refusedBy;
  }

  /** Replicas that have not answered yet. */
  SortedSet<Integer> missing() {
    SortedSet<Integer> missing = new TreeSet<>();
    for (int other = 0; other < members; other++) {
      if (other != self && !answers.containsKey(other)) {
        missing.add(other);
      }
    }
    return missing;
  }

  /** Another replica has noted this one, or knows another identity of it. */
  void onAnswer(int from, Acquaintance answer) {
    if (stage == Stage.REFUSED) {
      return;
    }
    answers.put(from, answer);
    if (!answer.known().equals(identity)) {
      refusedBy = from;
      stage = Stage.REFUSED;
    }
    decide();
  }

  /** Some time has passed. */
  void onTick() {
    ticks++;
    decide();
  }

  /** It holds what the others hold. */
  void onRecovered() {
    if (stage == Stage.RECOVERING) {
      stage = Stage.ADMITTED;
    }
  }

  private void decide() {
    if (stage != Stage.WAITING) {
      return;
    }
    if (isReplacing) {
      stage = missing().isEmpty() ? Stage.RECOVERING : stage;
    } else if (isKnownToMost() || ticks >= graceTicks && isOfNewLog()) {
      stage = Stage.ADMITTED;
    }
  }

  private boolean isKnownToMost() {
    return answers.size() >= Math.min(members - 1, members / 2 + 1);
  }

  private boolean isOfNewLog() {
    long alsoNew = answers.values().stream().filter(Acquaintance::isSinceNew).count();
    return alsoNew == answers.size() && alsoNew + 1 > members / 2;
  }
}
