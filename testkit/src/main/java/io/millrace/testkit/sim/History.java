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
 * The requests, executions and outcomes of the application: a record beside the nodes, which
 * survives their crashes and never travels. The history checks each entry on arrival:
 *
 * <ul>
 *   <li>no creation: every executed message was sent, to this node
 *   <li>integrity: the executed bytes are the bytes that were sent
 *   <li>at most once: no message is executed twice, over all lives of all nodes
 *   <li>outcome totality: every message is resolved once, unless its sender's life ends before
 *   <li>truth: a message told done was executed, a message told rejected never is
 * </ul>
 *
 * <p>One thread only, the simulation's if the test is a simulation. A test of real processes fills
 * the history afterwards: first all sends, then all executions, then all outcomes.
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
   * Creates an empty history.
   *
   * @param broken told the rule that was broken, and how; usually throws
   */
  public History(BiConsumer<String, String> broken) {
    this.broken = broken;
  }

  /**
   * Records that a node is about to send a message.
   *
   * @param id of the message; never used before
   * @param digest of the bytes that the receiver is to execute
   */
  public void sent(long id, int from, int to, long digest) {
    if (entries.put(id, new Entry(from, to, digest)) != null) {
      throw new IllegalArgumentException("id " + id + " was used before");
    }
    open++;
  }

  /**
   * Records that a node executes a message.
   *
   * @param digest of the bytes that arrived
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
   * Records the outcome that the sender is told for a message.
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

  /**
   * Records the end of a node's life: no outcome is expected any more for the messages of this
   * node.
   */
  public void onCrash(int node) {
    // The order of the entries does not matter: each is treated alike.
    for (Entry entry : entries.values()) {
      if (entry.from == node && entry.outcome == null && !entry.isAbandoned) {
        entry.isAbandoned = true;
        open--;
      }
    }
  }

  /** Returns the number of messages of this node without an outcome so far. */
  public long open(int node) {
    long count = 0;
    for (Entry entry : entries.values()) {
      if (entry.from == node && entry.outcome == null && !entry.isAbandoned) {
        count++;
      }
    }
    return count;
  }

  /** Whether every message is resolved, or its sender's life is over. */
  public boolean isSettled() {
    return open == 0;
  }

  /** Returns the number of messages that are neither resolved nor forgotten with their sender. */
  public long open() {
    return open;
  }

  /** Returns the number of messages sent. */
  public long sent() {
    return entries.size();
  }

  /** Returns the number of executions. */
  public long executed() {
    return executed;
  }

  /** Returns the number of messages with an outcome of any kind. */
  public long resolved() {
    return resolved;
  }

  /** Returns the number of messages with this outcome. */
  public long resolved(Outcome outcome) {
    return outcomes[outcome.ordinal()];
  }

  /**
   * Returns the fate of every message, a line each in the order of the ids. Two runs that differ
   * only in the times of events have the same lines.
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

  /** Returns the first few open messages, for people. */
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

  /** The ids of the selected entries, in ascending order. */
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
