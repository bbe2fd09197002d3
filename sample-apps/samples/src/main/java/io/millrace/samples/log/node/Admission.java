package io.millrace.samples.log.node;

import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides whether a replica takes part: whether it may promise and accept. An empty directory may
 * stand in place of a directory that held promises, and a replica that has forgotten its promises
 * can undo a choice. The others know: each replica introduces the identity of its directory to all
 * others before its first vote, and the others keep the identity on their disks.
 *
 * <ul>
 *   <li>If another replica knows another identity, the replica is refused, at any time.
 *   <li>A new replica takes part when a majority of all replicas, without itself, has noted its
 *       identity. Each majority that counted a vote of an earlier directory has a replica in common
 *       with this majority.
 *   <li>A new replica takes part in a new log when the replica makes a majority with replicas that
 *       noted its identity while new themselves. The others have some time to object.
 *   <li>A replica that takes the place of a lost replica needs the answers of all others. Such a
 *       replica takes part when its disk holds all promises and accepted entries of the others.
 * </ul>
 *
 * <p>The replica's shell calls this class in the turns of the replica. Time comes as ticks.
 */
final class Admission {
  /** The stages of an admission. */
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
   * Begins the admission of a replica among {@code members}.
   *
   * @param graceTicks the time in which others may object to a new log
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

  /** Returns the number of the replica that knows another identity; -1 without such a replica. */
  int refusedBy() {
    return refusedBy;
  }

  /** Returns the replicas that have not answered yet. */
  SortedSet<Integer> missing() {
    SortedSet<Integer> missing = new TreeSet<>();
    for (int other = 0; other < members; other++) {
      if (other != self && !answers.containsKey(other)) {
        missing.add(other);
      }
    }
    return missing;
  }

  /** Another replica has noted this replica, or knows another identity for its number. */
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

  /** The replica holds all promises and entries of the others. */
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
