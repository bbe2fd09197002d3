package io.millrace.testkit.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the application asked for, what was executed, and what it was told: a record beside the
 * nodes, which survives their crashes and never travels. Each entry is checked as it comes:
 *
 * <ul>
 *   <li>no creation: what is executed was sent, to this node
 *   <li>integrity: what is executed is what was sent
 *   <li>at most once: nothing is executed twice, over all lives of all nodes
 *   <li>outcome totality: everything sent is resolved once, unless its sender's life ends before
 *   <li>truth: what is told done was executed, what is told rejected never is
 * </ul>
 *
 * <p>One thread only, the simulation's if there is one. Of real processes it is told afterwards:
 * first all that was sent, then all that was executed, then all that was resolved.
 */
public final class History {
  private static final class Entry {
    private final int from;
    private final int to;
    private final long digest;
    private int executions;
    private @Nullable Outcome outcome;
    private boolean isAbandoned;

    private Entry(int from, int to, long digest) {
      this.from = from;
      this.to = to;
      this.digest = digest;
    }
  }

  private static final int MOST_WORDS = 10;

  private final BiConsumer<String, String> broken;
  private final Long2ObjectHashMap<Entry> entries = new Long2ObjectHashMap<>();
  private final long[] outcomes = new long[Outcome.values().length];
  private long executed;
  private long resolved;
  private long open;

  /**
   * Nothing was sent so far.
   *
   * @param broken told the rule that was broken, and how; usually throws
   */
  public History(BiConsumer<String, String> broken) {
    this.broken = broken;
  }

  /**
   * Something is about to be sent.
   *
   * @param id which; never used before
   * @param digest of what the receiver is to execute
   */
  public void sent(long id, int from, int to, long digest) {
    if (entries.put(id, new Entry(from, to, digest)) != null) {
      throw new IllegalArgumentException("id " + id + " was used before");
    }
    open++;
  }

  /**
   * A node executes something.
   *
   * @param digest of what it got
   */
  public void executed(long id, int node, long digest) {
    Entry entry = entries.get(id);
    executed++;
    if (entry == null) {
      fail("no creation", id, "executed at n" + node + ", but never sent");
      return;
    }
    entry.executions++;
    if (entry.to != node) {
      fail("no creation", id, "executed at n" + node + ", but sent to n" + entry.to);
    }
    if (entry.digest != digest) {
      fail("integrity", id, "executed at n" + node + " with other bytes than were sent");
    }
    if (entry.executions > 1) {
      fail("at most once", id, "executed " + entry.executions + " times, now at n" + node);
    }
    if (entry.outcome == Outcome.REJECTED) {
      fail("truth", id, "executed at n" + node + " after it was told to be rejected");
    }
  }

  /**
   * The sender is told what became of something.
   *
   * @param detail for people
   */
  public void resolved(long id, Outcome outcome, String detail) {
    Entry entry = entries.get(id);
    if (entry == null) {
      fail("outcome totality", id, "resolved, but never sent");
      return;
    }
    if (entry.outcome != null || entry.isAbandoned) {
      String before = entry.isAbandoned ? "its sender crashed" : "it was " + entry.outcome;
      fail("outcome totality", id, outcome + " (" + detail + ") after " + before);
      return;
    }
    entry.outcome = outcome;
    outcomes[outcome.ordinal()]++;
    resolved++;
    open--;
    if (outcome == Outcome.REJECTED && entry.executions > 0) {
      fail("truth", id, "told to be rejected (" + detail + "), but executed");
    }
    if ((outcome == Outcome.DONE || outcome == Outcome.FAILED) && entry.executions == 0) {
      String word = outcome == Outcome.DONE ? "done" : "executed and failed (" + detail + ")";
      fail("truth", id, "told to be " + word + ", but never executed");
    }
  }

  /** A node's life ended: nobody is told any more what became of what it sent. */
  public void onCrash(int node) {
    // The order of the entries does not matter: each is treated alike.
    for (Entry entry : entries.values()) {
      if (entry.from == node && entry.outcome == null && !entry.isAbandoned) {
        entry.isAbandoned = true;
        open--;
      }
    }
  }

  /** What this node sent and was not told the end of. */
  public long open(int node) {
    long count = 0;
    for (Entry entry : entries.values()) {
      if (entry.from == node && entry.outcome == null && !entry.isAbandoned) {
        count++;
      }
    }
    return count;
  }

  /** Whether everything that was sent is resolved, or its sender's life is over. */
  public boolean isSettled() {
    return open == 0;
  }

  /** What is neither resolved nor forgotten with its sender. */
  public long open() {
    return open;
  }

  /** What was sent. */
  public long sent() {
    return entries.size();
  }

  /** What was executed. */
  public long executed() {
    return executed;
  }

  /** What was resolved, however. */
  public long resolved() {
    return resolved;
  }

  /** What was resolved this way. */
  public long resolved(Outcome outcome) {
    return outcomes[outcome.ordinal()];
  }

  /**
   * What became of everything that was sent, a line each in the order of the ids: of two runs that
   * differ only in when things happened, these are the same.
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(entries.size());
    for (long id : ids(entry -> true)) {
      Entry entry = entries.get(id);
      String end = entry.isAbandoned ? "abandoned" : String.valueOf(entry.outcome);
      lines.add(id + " executed " + entry.executions + " times, " + end);
    }
    return lines;
  }

  /** The first few of what is open, for people. */
  public String openWords() {
    StringJoiner words = new StringJoiner(", ");
    long[] ids = ids(entry -> entry.outcome == null && !entry.isAbandoned);
    for (int i = 0; i < Math.min(ids.length, MOST_WORDS); i++) {
      Entry entry = entries.get(ids[i]);
      String executed = entry.executions > 0 ? " (executed)" : "";
      words.add("call " + ids[i] + " from n" + entry.from + " to n" + entry.to + executed);
    }
    return ids.length + " calls are open" + (ids.length == 0 ? "" : ": " + words);
  }

  /** Ids of these entries, in their order. */
  private long[] ids(Predicate<Entry> which) {
    long[] ids = new long[entries.size()];
    int count = 0;
    Long2ObjectHashMap<Entry>.EntryIterator each = entries.entrySet().iterator();
    while (each.hasNext()) {
      each.next();
      if (which.test(each.getValue())) {
        ids[count++] = each.getLongKey();
      }
    }
    Arrays.sort(ids, 0, count);
    return Arrays.copyOf(ids, count);
  }

  private void fail(String rule, long id, String detail) {
    broken.accept(rule, "call " + id + ": " + detail);
  }
}
