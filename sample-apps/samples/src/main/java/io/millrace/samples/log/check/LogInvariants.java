package io.millrace.samples.log.check;

import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.Promise;
import io.millrace.samples.log.core.ReplicaWatch;
import io.millrace.samples.log.disk.Journal;
import io.millrace.samples.log.disk.JournalRecord;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules of the protocol, over all messages and disks of one log. The checks know the
 * forced records of each disk, and so the chosen values. A chosen value is accepted by a majority
 * of the disks for one slot in one ballot.
 *
 * <ol>
 *   <li>{@link #ONE_VALUE}: one value for each slot and ballot;
 *   <li>{@link #CHOSEN_STAYS}: no second value is ever chosen for a slot;
 *   <li>{@link #DISK_FIRST}: a replica asks for, promises or accepts a ballot, or refuses because
 *       of a ballot, only when the promise is on its own disk. The same holds for each entry in a
 *       replica's messages;
 *   <li>{@link #TRUE_NEWS}: a replica applies only chosen entries. A leader says "chosen" only of
 *       chosen slots, and only if the leader has proposed no other value for the slot in its
 *       ballot.
 * </ol>
 *
 * One thread calls this class.
 */
public final class LogInvariants {
  /** One value for each slot and ballot. */
  public static final String ONE_VALUE = "one value for each slot and ballot";

  /** Chosen values never change. */
  public static final String CHOSEN_STAYS = "chosen values never change";

  /** A record is on the disk before a message tells of the record. */
  public static final String DISK_FIRST = "on the disk before it is told";

  /** A slot is chosen before a message says so. */
  public static final String TRUE_NEWS = "chosen where it is said";

  private record Place(long slot, Ballot ballot) {}

  private final int majority;
  private final BiConsumer<String, String> broken;
  private final Map<Place, ByteString> values = new HashMap<>();

  /** The replicas with an acceptance of a place's value on the disk. */
  private final Map<Place, BitSet> acceptances = new HashMap<>();

  private final Map<Long, ByteString> chosen = new HashMap<>();

  /** The highest promised ballot of each disk. */
  private final Ballot[] promised;

  /**
   * Knows no records yet.
   *
   * @param broken receives the rule and the details when a rule is broken
   */
  public LogInvariants(int replicas, BiConsumer<String, String> broken) {
    majority = replicas / 2 + 1;
    promised = new Ballot[replicas];
    Arrays.fill(promised, Ballot.NONE);
    this.broken = broken;
  }

  /** A disk has forced a record. */
  public void onForced(int replica, JournalRecord forced) {
    Entry entry = forced.entry();
    if (entry.slot() == 0) {
      onPromised(replica, entry.ballot());
    } else if (entry.slot() > 0 && entry.ballot().equals(Ballot.CHOSEN)) {
      requireChosen("replica " + replica + " remembers", entry);
    } else if (entry.slot() > 0) {
      onPromised(replica, entry.ballot());
      onAcceptance(replica, entry);
    }
  }

  /** Takes the records of a disk after a crash, with or without a completed force. */
  public void onRecovered(int replica, Journal.Recovered recovered) {
    recovered
        .checkpoint()
        .ifPresent(
            checkpoint -> {
              onPromised(replica, checkpoint.rest().promised());
              checkpoint.rest().entries().forEach(each -> onRest(replica, each));
            });
    recovered.records().forEach(each -> onForced(replica, each));
  }

  private void onRest(int replica, Entry entry) {
    onForced(replica, JournalRecord.accepted(entry));
  }

  private void onPromised(int replica, Ballot ballot) {
    if (ballot.isAbove(promised[replica])) {
      promised[replica] = ballot;
    }
  }

  private void onAcceptance(int replica, Entry entry) {
    requireOneValue(replica, entry);
    BitSet acceptors =
        acceptances.computeIfAbsent(new Place(entry.slot(), entry.ballot()), _ -> new BitSet());
    acceptors.set(replica);
    if (acceptors.cardinality() < majority) {
      return;
    }
    ByteString before = chosen.putIfAbsent(entry.slot(), entry.value());
    if (before != null && !before.equals(entry.value())) {
      broken.accept(
          CHOSEN_STAYS,
          "slot %d: %s was chosen, and now is %s in ballot %s"
              .formatted(entry.slot(), words(before), words(entry.value()), entry.ballot()));
    }
  }

  /** Returns a watch that checks each later message of a replica. */
  public ReplicaWatch watch(int replica) {
    return new ReplicaWatch() {
      @Override
      public void onPrepare(Ballot ballot) {
        requirePromised(replica, ballot, "asks for ballot " + ballot);
      }

      @Override
      public void onAnswer(Ballot asked, Promise answer) {
        String says = "answers ballot " + asked + " by ";
        requirePromised(replica, answer.promised(), says + answer.promised());
        answer.entries().forEach(entry -> requireOnDisk(replica, entry, says));
      }

      @Override
      public void onPropose(Entry entry) {
        requireOneValue(replica, entry);
        requirePromised(replica, entry.ballot(), "proposes slot " + entry.slot());
      }

      @Override
      public void onAccepted(Entry entry) {
        requireOnDisk(replica, entry, "accepts ");
      }

      @Override
      public void onRefused(Entry entry, Ballot ballot) {
        requirePromised(replica, ballot, "refuses slot " + entry.slot() + " for " + ballot);
      }

      @Override
      public void onChosen(Ballot ballot, long slot, long through) {
        if (slot > 0) {
          requireTrue(replica, ballot, slot);
        }
        for (long each = 1; each <= through; each++) {
          requireTrue(replica, ballot, each);
        }
      }

      @Override
      public void onApply(Entry entry) {
        requireChosen("replica " + replica + " applies", entry);
      }
    };
  }

  private void requireOneValue(int replica, Entry entry) {
    ByteString before = values.putIfAbsent(new Place(entry.slot(), entry.ballot()), entry.value());
    if (before != null && !before.equals(entry.value())) {
      broken.accept(
          ONE_VALUE,
          "slot %d, ballot %s: %s, and %s at replica %d"
              .formatted(
                  entry.slot(), entry.ballot(), words(before), words(entry.value()), replica));
    }
  }

  private void requirePromised(int replica, Ballot ballot, String says) {
    if (ballot.isAbove(promised[replica])) {
      broken.accept(
          DISK_FIRST,
          "replica %d %s, and its disk has promised %s"
              .formatted(replica, says, promised[replica]));
    }
  }

  private void requireOnDisk(int replica, Entry entry, String says) {
    if (entry.ballot().equals(Ballot.CHOSEN)) {
      requireChosen("replica " + replica + " tells", entry);
      return;
    }
    BitSet acceptors = acceptances.get(new Place(entry.slot(), entry.ballot()));
    if (acceptors == null || !acceptors.get(replica)) {
      broken.accept(
          DISK_FIRST,
          "replica %d %s slot %d of ballot %s, which is not on its disk"
              .formatted(replica, says, entry.slot(), entry.ballot()));
    }
  }

  private void requireChosen(String says, Entry entry) {
    ByteString value = chosen.get(entry.slot());
    if (!entry.value().equals(value)) {
      broken.accept(
          TRUE_NEWS,
          "%s slot %d: %s, chosen is %s"
              .formatted(says, entry.slot(), words(entry.value()), words(value)));
    }
  }

  private void requireTrue(int replica, Ballot ballot, long slot) {
    ByteString value = chosen.get(slot);
    ByteString proposed = values.get(new Place(slot, ballot));
    if (value == null || (proposed != null && !proposed.equals(value))) {
      broken.accept(
          TRUE_NEWS,
          "slot %d is chosen, replica %d says or hears of ballot %s, which proposed %s; chosen is %s"
              .formatted(slot, replica, ballot, words(proposed), words(value)));
    }
  }

  private static String words(@Nullable ByteString value) {
    return value == null ? "nothing" : "value " + Integer.toHexString(value.hashCode());
  }
}
