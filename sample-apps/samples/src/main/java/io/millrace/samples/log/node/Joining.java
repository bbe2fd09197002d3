package io.millrace.samples.log.node;

import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.Promise;
import io.millrace.samples.peers.PeerBook;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Introduces a replica to the others until each has answered, and lets the replica take part when
 * {@link Admission} allows. A replica that replaces a lost replica first learns the promises and
 * accepted entries of the others. Runs in the replica's turns, except for writes to the disk.
 */
final class Joining {
  private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
  private static final TransferOptions CALL =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(1));

  /**
   * Ticks of 50 ms between two introductions, often for a replica not yet admitted, and seldom for
   * an admitted replica.
   */
  private static final int OFTEN_TICKS = 10;

  private static final int SELDOM_TICKS = 100;

  /** The others may object to a new log for 2 s. */
  private static final int GRACE_TICKS = 40;

  /** A replica that waits for longer says so, once. */
  private static final int SILENT_TICKS = 100;

  private final ReplicaOptions options;
  private final Identities identities;
  private final boolean isReplacing;
  private final PeerBook peers;
  private final Executor turns;
  private final Executor blocking;
  private final Admission admission;
  private final Map<Integer, Promise> promises = new HashMap<>();
  private final CompletableFuture<String> refusal = new CompletableFuture<>();
  private @Nullable CompletableFuture<Void> adopted;
  private int ticks;

  /** Read by other threads, too. */
  private volatile boolean isAdmitted;

  Joining(
      ReplicaOptions options,
      Identities identities,
      boolean isReplacing,
      PeerBook peers,
      Executor turns,
      Executor blocking) {
    this.options = options;
    this.identities = identities;
    this.isReplacing = isReplacing;
    this.peers = peers;
    this.turns = turns;
    this.blocking = blocking;
    admission =
        new Admission(
            options.self(), options.members().size(), identities.own(), isReplacing, GRACE_TICKS);
    isAdmitted = identities.own().isAdmitted();
  }

  /** Returns whether the replica may promise and accept. */
  boolean isAdmitted() {
    return isAdmitted;
  }

  /** Completes with a sentence if the replica must not take part. */
  CompletableFuture<String> refusal() {
    return refusal;
  }

  /**
   * Returns the reason why the replica takes no part, in one sentence; empty for a replica that
   * takes part.
   */
  String trouble() {
    return isAdmitted ? "" : refusal.getNow(waiting());
  }

  private String waiting() {
    SortedSet<Integer> missing = admission.missing();
    return "a new replica takes no part before "
        + (missing.isEmpty() ? "its recovery" : "replicas " + missing + " have noted it");
  }

  /** Another replica has introduced itself. Any thread. */
  CompletableFuture<Acquaintance> onIntroduced(Introduction from) {
    if (from.replica() < 0
        || from.replica() >= options.members().size()
        || from.replica() == options.self()) {
      throw new IllegalArgumentException("there is no other replica " + from.replica());
    }
    return CompletableFuture.supplyAsync(() -> identities.onIntroduced(from), blocking);
  }

  /** Some time has passed. Returns whether the replica takes part from now on. */
  boolean onTick(Replica replica, BiConsumer<Integer, Long> catchUp) {
    ticks++;
    admission.onTick();
    if (ticks % (isAdmitted ? SELDOM_TICKS : OFTEN_TICKS) == 1) {
      admission.missing().forEach(this::introduce);
      if (admission.stage() == Admission.Stage.RECOVERING) {
        recover(replica, catchUp);
      }
    }
    if (ticks == SILENT_TICKS && !isAdmitted) {
      LOG.warn("replica {}: {}", options.self(), waiting());
    }
    if (isAdmitted || admission.stage() != Admission.Stage.ADMITTED) {
      return false;
    }
    try {
      identities.admit();
    } catch (UncheckedIOException e) {
      refusal.complete(
          "replica %d takes no part: its directory cannot be written: %s"
              .formatted(options.self(), e.getMessage()));
      return false;
    }
    isAdmitted = true;
    return true;
  }

  private void introduce(int other) {
    Introduction own =
        new Introduction(options.self(), identities.own().identity(), isReplacing && !isAdmitted);
    peers
        .peer(other)
        .ifPresent(
            peer -> {
              var _ =
                  peer.unary(LogRoutes.JOIN, own, CALL)
                      .thenApplyAsync(answer -> noted(other, answer), blocking)
                      .thenAcceptAsync(answer -> onAnswer(other, answer), turns);
            });
  }

  /** The answer must be on the disk before this replica takes part. */
  private Acquaintance noted(int other, Acquaintance answer) {
    identities.onAnswer(other, answer);
    return answer;
  }

  private void onAnswer(int other, Acquaintance answer) {
    admission.onAnswer(other, answer);
    if (admission.stage() == Admission.Stage.REFUSED) {
      refusal.complete(
          ("replica %d takes no part: replica %d knows a former directory of this replica, which"
                      + " held promises.")
                  .formatted(options.self(), admission.refusedBy())
              + " Give the former directory back; or, if lost, start an empty directory with"
              + " --replace");
    }
  }

  /** The lowest ballot changes no promise: the answer is the earlier promise of a replica. */
  private void recover(Replica replica, BiConsumer<Integer, Long> catchUp) {
    CompletableFuture<Void> held = adopted;
    if (held != null) {
      goOn(replica, held, catchUp);
      return;
    }
    for (int other = 0; other < options.members().size(); other++) {
      if (other != options.self() && !promises.containsKey(other)) {
        int from = other;
        peers.peer(from).ifPresent(peer -> ask(from, peer, replica));
      }
    }
  }

  private void ask(int from, Peer peer, Replica replica) {
    var _ =
        peer.unary(LogRoutes.PREPARE, Ballot.NONE, CALL)
            .thenAcceptAsync(
                promise -> {
                  promises.put(from, promise);
                  if (adopted == null && promises.size() == options.members().size() - 1) {
                    adopted = adopt(replica);
                  }
                },
                turns);
  }

  /**
   * Accepts all entries accepted by the others, in the order of ballots, and makes their highest
   * promise.
   */
  private CompletableFuture<Void> adopt(Replica replica) {
    List<CompletableFuture<?>> forced = new ArrayList<>();
    promises.values().stream()
        .flatMap(promise -> promise.entries().stream())
        .sorted(Comparator.comparing(Entry::ballot))
        .forEach(entry -> forced.add(adopt(replica, entry)));
    Ballot highest =
        promises.values().stream().map(Promise::promised).max(Ballot::compareTo).orElseThrow();
    CompletableFuture<Promise> promised = new CompletableFuture<>();
    replica.onPrepare(highest, promised);
    forced.add(promised);
    return CompletableFuture.allOf(forced.toArray(CompletableFuture[]::new));
  }

  private static CompletableFuture<?> adopt(Replica replica, Entry entry) {
    if (entry.ballot().equals(Ballot.CHOSEN)) {
      return replica.onLearnt(entry).toCompletableFuture();
    }
    CompletableFuture<Long> accepted = new CompletableFuture<>();
    replica.onAccept(new Accept(entry, 0), accepted);
    return accepted;
  }

  /** All slots that the others knew to be chosen must be here, too, and on the disk. */
  private void goOn(
      Replica replica, CompletableFuture<Void> held, BiConsumer<Integer, Long> catchUp) {
    int mostInformed = options.self();
    long needed = 0;
    for (Map.Entry<Integer, Promise> each : promises.entrySet()) {
      if (each.getValue().chosenThrough() > needed) {
        needed = each.getValue().chosenThrough();
        mostInformed = each.getKey();
      }
    }
    if (replica.appliedThrough() < needed) {
      catchUp.accept(mostInformed, replica.appliedThrough() + 1);
    } else if (held.isDone() && !held.isCompletedExceptionally()) {
      admission.onRecovered();
    }
  }
}
