package io.millrace.testkit.cluster;

import io.millrace.testkit.cluster.Frame.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the passing of barriers and the delivery of values. Owned by one cluster, called
 * under its lock. The class has no threads and no clock: each caller measures its own time limit
 * and gives up.
 */
final class MeetingPoint {
  static final int MOST_KEYS = 10_000;

  private final UnaryOperator<String> phaseOf;
  private final Map<String, Barrier> barriers = new TreeMap<>();
  private final Map<String, Published> values = new TreeMap<>();
  private final Map<String, String> failed = new TreeMap<>();
  private final List<Question> waiting = new ArrayList<>();

  /** A question of a node, to be answered once. */
  private record Question(String node, long id, String key, Consumer<Frame> answers) {
    void done(String value) {
      answers.accept(new Frame(Kind.DONE, id, key, value));
    }

    void refuse(String why) {
      answers.accept(new Frame(Kind.REFUSED, id, key, why));
    }
  }

  private record Published(String node, String value) {}

  /** The nodes that have come to a barrier, and the number of passages by all nodes. */
  private static final class Barrier {
    final Map<String, Question> arrived = new LinkedHashMap<>();
    List<String> parties = List.of();
    long rounds;

    List<String> missing() {
      return parties.stream().filter(party -> !arrived.containsKey(party)).toList();
    }
  }

  /**
   * Creates a meeting point without barriers and values.
   *
   * @param phaseOf tells the present state of a node, for messages
   */
  MeetingPoint(UnaryOperator<String> phaseOf) {
    this.phaseOf = phaseOf;
  }

  /** A node asks: an arrival, a value to publish, a value wanted, or a question given up. */
  void onQuestion(String node, Frame frame, Consumer<Frame> answers) {
    Question question = new Question(node, frame.id(), frame.key(), answers);
    switch (frame.kind()) {
      case ARRIVE -> onArrive(question, List.of(frame.value().split(",", -1)));
      case PUBLISH -> onPublish(question, frame.value());
      case AWAIT -> onAwait(question);
      case GIVE_UP -> onGiveUp(node, frame.id());
      default -> question.refuse("a node does not say " + frame.kind());
    }
  }

  private void onArrive(Question question, List<String> parties) {
    if (!barriers.containsKey(question.key) && barriers.size() == MOST_KEYS) {
      question.refuse("more than " + MOST_KEYS + " barriers");
      return;
    }
    Barrier barrier = barriers.computeIfAbsent(question.key, key -> new Barrier());
    if (barrier.arrived.isEmpty()) {
      barrier.parties = parties;
    }
    if (!barrier.parties.equals(parties)) {
      question.refuse(name(question.key) + " is for " + barrier.parties + ", not for " + parties);
    } else if (barrier.arrived.containsKey(question.node)) {
      question.refuse(question.node + " waits at " + name(question.key) + " already");
    } else {
      barrier.arrived.put(question.node, question);
      openOrBreak(question.key, barrier);
    }
  }

  private void openOrBreak(String key, Barrier barrier) {
    List<String> missing = barrier.missing();
    if (missing.isEmpty()) {
      barrier.rounds++;
      end(barrier, question -> question.done(""));
    } else if (missing.stream().anyMatch(failed::containsKey)) {
      String why =
          missing.stream()
              .filter(failed::containsKey)
              .map(node -> node + " has failed: " + failed.get(node))
              .collect(Collectors.joining("; "));
      end(barrier, question -> question.refuse(name(key) + " is broken: " + why));
    }
  }

  private static void end(Barrier barrier, Consumer<Question> answer) {
    List<Question> all = List.copyOf(barrier.arrived.values());
    barrier.arrived.clear();
    all.forEach(answer);
  }

  private void onPublish(Question question, String value) {
    if (publish(question.node, question.key, value)) {
      question.done("");
    } else {
      question.refuse("more than " + MOST_KEYS + " values");
    }
  }

  /**
   * Sets a value and answers the nodes that wait for this value; false when there are too many
   * values.
   */
  boolean publish(String node, String key, String value) {
    if (!values.containsKey(key) && values.size() == MOST_KEYS) {
      return false;
    }
    values.put(key, new Published(node, value));
    List<Question> told = waiting.stream().filter(question -> question.key.equals(key)).toList();
    waiting.removeAll(told);
    told.forEach(question -> question.done(value));
    return true;
  }

  private void onAwait(Question question) {
    String value = value(question.key);
    if (value == null) {
      waiting.add(question);
    } else {
      question.done(value);
    }
  }

  /** Returns the value of a key, null when nobody has published a value. */
  @Nullable String value(String key) {
    Published published = values.get(key);
    return published == null ? null : published.value;
  }

  private void onGiveUp(String node, long id) {
    for (Map.Entry<String, Barrier> entry : barriers.entrySet()) {
      Question question = entry.getValue().arrived.get(node);
      if (question != null && question.id == id) {
        String why = missingAt(entry.getKey());
        entry.getValue().arrived.remove(node);
        question.refuse(why);
        return;
      }
    }
    for (Question question : List.copyOf(waiting)) {
      if (question.id == id && question.node.equals(node)) {
        waiting.remove(question);
        question.refuse("nobody has published \"" + question.key + "\"");
      }
    }
  }

  /** Describes the nodes that a barrier waits for, for a message. */
  String missingAt(String key) {
    Barrier barrier = barriers.get(key);
    if (barrier == null || barrier.arrived.isEmpty()) {
      return "nobody is at " + name(key);
    }
    return name(key)
        + " waits for "
        + barrier.missing().stream()
            .map(node -> node + " (" + phaseOf.apply(node) + ")")
            .collect(Collectors.joining(", "));
  }

  /** Returns how often all nodes have passed a barrier. */
  long rounds(String key) {
    Barrier barrier = barriers.get(key);
    return barrier == null ? 0 : barrier.rounds;
  }

  /** Ends a life of a node: its questions are void. */
  void onEnd(String node) {
    barriers.values().forEach(barrier -> barrier.arrived.remove(node));
    waiting.removeIf(question -> question.node.equals(node));
  }

  /**
   * Records that a node has failed: nodes that wait for this node at a barrier need not wait
   * longer.
   */
  void onFailed(String node, String why) {
    onEnd(node);
    failed.put(node, why);
    barriers.forEach(
        (key, barrier) -> {
          if (!barrier.arrived.isEmpty()) {
            openOrBreak(key, barrier);
          }
        });
  }

  /** Forgets the values of a node that was killed, or has another life. */
  void onForgotten(String node) {
    onEnd(node);
    failed.remove(node);
    values.values().removeIf(published -> published.node.equals(node));
  }

  private static String name(String barrier) {
    return "barrier \"" + barrier + "\"";
  }
}
