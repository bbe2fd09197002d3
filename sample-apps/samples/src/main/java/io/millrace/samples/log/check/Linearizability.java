package io.millrace.samples.log.check;

import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.pekko.util.ByteString;

/**
 * Checks whether a history is linearizable: whether each call has an instant between its start and
 * its end, such that the calls at these instants on a single copy have the same answers. Keys are
 * independent, so each key has a history of its own: a history is linearizable if and only if the
 * history of each key is. The search follows Wing and Gong, with the pruning of Lowe. The rest of a
 * search depends only on the calls done and the value then, so no such pair is searched twice.
 */
public final class Linearizability {
  private static final ByteString NOTHING = ByteString.emptyByteString();

  /** The set of calls done, and the value after these calls. */
  private record Node(BitSet done, ByteString value) {}

  private final List<Call> calls;
  private final int answered;

  private Linearizability(List<Call> ofKey) {
    calls = ofKey.stream().sorted(Comparator.comparingLong(Call::startNs)).toList();
    answered = (int) calls.stream().filter(Call::isAnswered).count();
  }

  /**
   * Returns the calls, in order, of the first key (by its first call) with a history that is not
   * linearizable.
   */
  public static Optional<List<Call>> violation(List<Call> history) {
    Map<ByteString, List<Call>> keys =
        history.stream()
            .filter(call -> !isRefused(call))
            .collect(
                Collectors.groupingBy(
                    call -> call.operation().key(), LinkedHashMap::new, Collectors.toList()));
    return keys.values().stream()
        .map(Linearizability::new)
        .filter(key -> !key.isLinearizable())
        .map(key -> key.calls)
        .findFirst();
  }

  /** Returns whether the log refused the call: such a call has done nothing. */
  private static boolean isRefused(Call call) {
    Result result = call.result();
    return result != null && result.status() == Result.Status.TOO_LARGE;
  }

  private boolean isLinearizable() {
    Deque<Node> open = new ArrayDeque<>();
    Set<Node> seen = new HashSet<>();
    open.push(new Node(new BitSet(), NOTHING));
    while (!open.isEmpty()) {
      Node node = open.pop();
      if (isComplete(node.done)) {
        return true;
      }
      if (seen.add(node)) {
        pushNext(node, open);
      }
    }
    return false;
  }

  private boolean isComplete(BitSet done) {
    return done.stream().filter(i -> calls.get(i).isAnswered()).count() == answered;
  }

  /** The next call may be each call that began before the first end of the remaining calls. */
  private void pushNext(Node node, Deque<Node> open) {
    long firstEndNs = Long.MAX_VALUE;
    int from = node.done.nextClearBit(0);
    for (int i = from; i < calls.size() && calls.get(i).startNs() <= firstEndNs; i++) {
      if (!node.done.get(i)) {
        firstEndNs = Math.min(firstEndNs, calls.get(i).endNs());
      }
    }
    for (int i = from; i < calls.size() && calls.get(i).startNs() <= firstEndNs; i++) {
      if (!node.done.get(i)) {
        push(node, i, open);
      }
    }
  }

  private void push(Node node, int index, Deque<Node> open) {
    Call call = calls.get(index);
    Operation operation = call.operation();
    boolean isEqual = operation.expected().equals(node.value);
    boolean isWrite =
        operation.kind() == Operation.Kind.PUT
            || (operation.kind() == Operation.Kind.COMPARE_AND_SET && isEqual);
    Result result = call.result();
    if (result == null && !isWrite) {
      // A call without an answer and without a change gives no information.
      return;
    }
    if (result != null && !agrees(operation, result, node.value, isEqual)) {
      return;
    }
    BitSet done = (BitSet) node.done.clone();
    done.set(index);
    open.push(new Node(done, isWrite ? operation.value() : node.value));
  }

  private static boolean agrees(
      Operation operation, Result result, ByteString value, boolean isEqual) {
    return switch (operation.kind()) {
      case GET -> result.value().equals(value);
      case PUT -> result.status() == Result.Status.DONE;
      case COMPARE_AND_SET ->
          isEqual
              ? result.status() == Result.Status.DONE
              : result.status() == Result.Status.DIFFERENT && result.value().equals(value);
      case OPEN -> false;
    };
  }
}
