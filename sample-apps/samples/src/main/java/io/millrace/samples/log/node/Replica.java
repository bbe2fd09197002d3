package io.millrace.samples.log.node;

import io.millrace.samples.log.core.Acceptor;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Batch;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.log.core.KeyValues;
import io.millrace.samples.log.core.Leader;
import io.millrace.samples.log.core.Leader.Stage;
import io.millrace.samples.log.core.Learner;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Promise;
import io.millrace.samples.log.core.ReplicaWatch;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.core.Result.Status;
import io.millrace.samples.log.core.SizeLimits;
import io.millrace.samples.log.disk.Checkpoint;
import io.millrace.samples.log.disk.Journal;
import io.millrace.samples.log.disk.JournalRecord;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica: its machines, its disk, and the messages between these. All calls here run in the
 * replica's turns, one at a time; answers of disk and peers come back as turns. A turn must not
 * block: the transport's workers run turns. Checkpoints take long, and have turns of their own.
 */
final class Replica {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  /** The number of ticks after which a stuck attempt to lead is begun anew. */
  private static final int PATIENCE_TICKS = 10;

  /** Sends the messages of a replica to the others. */
  interface Links {
    void prepare(Ballot ballot);

    /**
     * Proposes to all others. {@code isLast}: no other message may tell soon that the slot is
     * chosen.
     */
    void accept(Entry entry, long chosenThrough, CompletionStage<Void> own, boolean isLast);

    /** Proposes entries again to a replica that was not reached. */
    void repeat(int replica, List<Entry> entries, long chosenThrough);

    void chosen(int replica, Chosen chosen);

    void catchUp(int from, long slot);

    /** Tells all others that this replica takes no part any more. */
    void resign();
  }

  private final ReplicaOptions options;
  private final Journal journal;
  private final Turns turns;
  private final Acceptor acceptor = new Acceptor();
  private final Learner learner = new Learner(acceptor);
  private final Leader leader;
  private final KeyValues state;
  private final Proposer proposer;
  private final Links links;
  private final ReplicaWatch watch;

  /** Whether the replica may promise and accept, its own ballots and proposals included. */
  private final BooleanSupplier isAdmitted;

  private Ballot highest = Ballot.NONE;
  private int preferred = -1;

  /** The resigned replicas, which take no part any more, until they lead again. */
  private final BitSet resigned = new BitSet();

  /** The leader that last told the chosen slots. */
  private int informant = -1;

  private int idleTicks;

  /** Completes when all promises and acceptances of this replica are on the disk. */
  private CompletionStage<Void> remembered = CompletableFuture.completedFuture(null);

  /** Whether the disk has not yet forced the promise of this replica's own ballot. */
  private boolean isPromising;

  private long hintedThrough;

  /** Bytes of the values since the last checkpoint. */
  private long loggedBytes;

  private @Nullable Checkpoint checkpoint;

  /** Whether a turn is to write a checkpoint. */
  private boolean isCheckpointDue;

  private @Nullable Throwable failure;

  Replica(
      ReplicaOptions options,
      Journal journal,
      Turns turns,
      Links links,
      ReplicaWatch watch,
      BooleanSupplier isAdmitted) {
    this.isAdmitted = isAdmitted;
    this.options = options;
    this.journal = journal;
    this.turns = turns;
    this.links = links;
    this.watch = watch;
    leader = new Leader(options.self(), options.quorum());
    state = new KeyValues(options.mostSessions(), options.limits().state());
    proposer = new Proposer(options.limits(), options.mostWaiting());
    Journal.Recovered recovered = journal.recovered();
    recovered.checkpoint().ifPresent(this::restore);
    recovered.records().forEach(each -> each.replay(acceptor));
    highest = acceptor.promised();
    apply();
  }

  private void restore(Checkpoint from) {
    checkpoint = from;
    state.restore(from.state());
    learner.onSnapshot(from.slot());
    acceptor.dropThrough(from.slot());
    acceptor.restore(from.rest().promised());
    from.rest().entries().forEach(acceptor::restore);
  }

  /** The cluster names the leader; ballots keep the log safe even with several leaders. */
  void onLeader(int replica) {
    preferred = replica;
    settle();
  }

  private void settle() {
    if (appointed() != options.self()) {
      follow();
    } else if (leader.stage() == Stage.FOLLOWING) {
      lead();
    }
  }

  /**
   * Returns the replica named by the cluster or, if the named replica has resigned, the next
   * replica that has not.
   */
  private int appointed() {
    int count = options.members().size();
    int replica = preferred;
    if (replica >= 0 && resigned.cardinality() < count) {
      while (resigned.get(replica)) {
        replica = (replica + 1) % count;
      }
    }
    return replica;
  }

  /** Another replica takes no part any more. */
  void onResigned(int replica) {
    if (replica >= 0 && replica < options.members().size() && !resigned.get(replica)) {
      resigned.set(replica);
      LOG.warn("replica {} takes no part any more; {} is to lead", replica, appointed());
      settle();
    }
  }

  /** A replica leads, or tries to lead: a resigned replica was started again. */
  private void onLeading(int replica) {
    if (replica >= 0 && resigned.get(replica)) {
      resigned.clear(replica);
      settle();
    }
  }

  /** A client's operation. */
  void onRequest(Operation operation, CompletableFuture<Result> answer) {
    if (leader.stage() != Stage.LEADING || failure != null) {
      answer.complete(Result.of(Status.NOT_LEADER, appointed()));
      return;
    }
    proposer.add(operation, answer);
    propose();
  }

  private void propose() {
    while (leader.stage() == Stage.LEADING
        && !proposer.isEmpty()
        && leader.open() < options.window()) {
      Entry entry = leader.propose(proposer.take());
      proposer.onSlot(entry.slot());
      send(entry);
    }
  }

  private void send(Entry entry) {
    // In a busy log the next proposal tells that this slot is chosen, or the next tick does.
    boolean isAfterCalm = idleTicks > 0;
    idleTicks = 0;
    acceptor.onAccept(entry);
    CompletionStage<Void> forced = remember(JournalRecord.accepted(entry));
    after(forced, () -> onAccepted(options.self(), entry.ballot(), entry.slot()));
    watch.onPropose(entry);
    watch.onChosen(entry.ballot(), 0, learner.chosenThrough());
    links.accept(entry, learner.chosenThrough(), forced, isAfterCalm && proposer.isEmpty());
  }

  /**
   * The number of chosen slots is written with the next entry: this record needs no force of its
   * own.
   */
  private CompletionStage<Void> remember(JournalRecord what) {
    if (learner.chosenThrough() > hintedThrough) {
      hintedThrough = learner.chosenThrough();
      journal.note(JournalRecord.chosenThrough(hintedThrough));
    }
    remembered = journal.append(what);
    return remembered;
  }

  private void after(CompletionStage<Void> forced, Runnable step) {
    var _ =
        forced.whenCompleteAsync(
            (done, cause) -> {
              if (cause == null) {
                step.run();
              } else {
                onDiskFailed(cause);
              }
            },
            turns);
  }

  private void onDiskFailed(Throwable cause) {
    if (failure == null) {
      LOG.error("replica {} takes no part until a restart: its disk failed", options.self(), cause);
      failure = cause;
      resigned.set(options.self());
      follow();
      links.resign();
    }
  }

  /** The replica ends: answers all waiting operations. */
  void onStop() {
    proposer.onFollow(appointed());
  }

  private void lead() {
    if (failure != null || !isAdmitted.getAsBoolean()) {
      return;
    }
    idleTicks = 0;
    Ballot ballot = leader.onLead(highest);
    onBallot(ballot);
    acceptor.onPrepare(ballot);
    Promise own = promise();
    isPromising = true;
    after(remember(JournalRecord.promised(ballot)), () -> onPromised(own));
  }

  /**
   * No peer hears of a ballot before the force: after a power failure the replica could use the
   * ballot again.
   */
  private void onPromised(Promise own) {
    Ballot ballot = own.promised();
    if (leader.ballot().equals(ballot)) {
      isPromising = false;
    }
    if (leader.stage() == Stage.PREPARING && leader.ballot().equals(ballot)) {
      watch.onPrepare(ballot);
      links.prepare(ballot);
      onPromise(options.self(), own);
    }
  }

  private Promise promise() {
    return new Promise(
        acceptor.promised(),
        learner.chosenThrough(),
        acceptor.entriesFrom(learner.chosenThrough() + 1));
  }

  private void follow() {
    leader.follow();
    int next = appointed();
    proposer.onFollow(next == options.self() ? -1 : next);
  }

  /** Takes note of a ballot in any message; a higher ballot ends this replica's leading. */
  void onBallot(Ballot seen) {
    if (!seen.isWithinReachOf(highest)) {
      return;
    }
    if (seen.isAbove(highest)) {
      highest = seen;
    }
    if (leader.onBallot(seen)) {
      follow();
    }
  }

  /** A peer prepares; the answer is given when the promise is on the disk. */
  void onPrepare(Ballot ballot, CompletableFuture<Promise> answer) {
    if (!ballot.isWithinReachOf(highest)) {
      refuse(answer, promised -> {});
      return;
    }
    var _ = answer.thenAccept(told -> watch.onAnswer(ballot, told));
    onBallot(ballot);
    onLeading(ballot.replica());
    boolean isPromised = acceptor.onPrepare(ballot);
    Promise promise = promise();
    // A refusal names a promise, and counts as a promise of the named ballot.
    answerWhen(isPromised ? remember(JournalRecord.promised(ballot)) : remembered, promise, answer);
  }

  /** A peer proposes; the answer is given when the acceptance is on the disk. */
  void onAccept(Accept accept, CompletableFuture<Long> answer) {
    Entry entry = accept.entry();
    boolean isWithinReach = entry.ballot().isWithinReachOf(highest);
    onBallot(entry.ballot());
    onLeading(entry.ballot().replica());
    if (!isWithinReach) {
      refuse(answer, promised -> watch.onRefused(entry, promised));
      return;
    }
    if (isTooFar(entry)) {
      answer.completeExceptionally(new TooFarException(entry.slot()));
      return;
    }
    if (!acceptor.onAccept(entry)) {
      refuse(answer, promised -> watch.onRefused(entry, promised));
      return;
    }
    var _ = answer.thenAccept(told -> watch.onAccepted(entry));
    answerWhen(remember(JournalRecord.accepted(entry)), entry.slot(), answer);
    informant = entry.ballot().replica();
    learner.onChosenThrough(entry.ballot(), accept.chosenThrough());
    apply();
  }

  /** A promise tells all entries accepted beyond the chosen slots, and must be one message. */
  private boolean isTooFar(Entry entry) {
    return entry.slot() > learner.chosenThrough() + 2L * options.window()
        && acceptor.bytesFrom(learner.chosenThrough() + 1) + entry.value().size()
            > SizeLimits.MOST_OPEN;
  }

  /** A refusal names a promise, so the refusal waits until the promise is on the disk. */
  private void refuse(CompletableFuture<?> answer, Consumer<Ballot> onTold) {
    Ballot promised = acceptor.promised();
    var _ =
        remembered.whenComplete(
            (done, cause) -> {
              if (cause == null) {
                onTold.accept(promised);
                answer.completeExceptionally(new RefusedException(promised));
              } else {
                answer.completeExceptionally(cause);
              }
            });
  }

  private <T> void answerWhen(CompletionStage<Void> forced, T value, CompletableFuture<T> answer) {
    var _ =
        forced.whenComplete(
            (done, cause) -> {
              if (cause == null) {
                answer.complete(value);
              } else {
                answer.completeExceptionally(cause);
                turns.execute(() -> onDiskFailed(cause));
              }
            });
  }

  /** A leader tells the chosen slots. */
  void onChosen(Chosen chosen) {
    if (!chosen.ballot().isWithinReachOf(highest)) {
      return;
    }
    watch.onChosen(chosen.ballot(), chosen.slot(), chosen.through());
    onBallot(chosen.ballot());
    informant = chosen.ballot().replica();
    if (chosen.slot() > 0) {
      learner.onChosenAt(chosen.ballot(), chosen.slot());
    }
    learner.onChosenThrough(chosen.ballot(), chosen.through());
    apply();
  }

  void onPromise(int from, Promise promise) {
    onBallot(promise.promised());
    leader.onPromise(from, promise);
    takeOver();
    if (leader.stage() == Stage.CATCHING_UP) {
      links.catchUp(leader.mostInformed(), learner.chosenThrough() + 1);
    }
  }

  private void takeOver() {
    leader.onChosenThrough(learner.chosenThrough()).forEach(this::send);
    propose();
  }

  void onAccepted(int from, Ballot ballot, long slot) {
    if (leader.onAccepted(from, ballot, slot)) {
      learner.onChosenAt(ballot, slot);
      apply();
      propose();
    }
  }

  /** Takes a chosen entry from another replica; the stage completes when the entry is forced. */
  CompletionStage<Void> onLearnt(Entry entry) {
    if (entry.slot() <= learner.chosenThrough()) {
      return CompletableFuture.completedFuture(null);
    }
    if (leader.onLearnt(entry, acceptor.entry(entry.slot()))) {
      follow();
    }
    acceptor.onChosen(entry);
    CompletionStage<Void> forced = remember(JournalRecord.accepted(entry.chosen()));
    after(forced, () -> {});
    apply();
    return forced;
  }

  private void apply() {
    Entry entry = learner.pollChosen();
    while (entry != null) {
      watch.onApply(entry);
      loggedBytes += entry.value().size();
      List<Result> results = Batch.decode(entry.value()).stream().map(state::apply).toList();
      proposer.onApplied(entry.slot(), results);
      entry = learner.pollChosen();
    }
    long known = checkpoint == null ? 0 : checkpoint.slot();
    if (learner.chosenThrough() - known >= options.checkpointEvery()
        || loggedBytes >= options.limits().log()) {
      checkpointSoon();
    }
    if (leader.stage() == Stage.CATCHING_UP) {
      takeOver();
    }
  }

  private void checkpointSoon() {
    if (!isCheckpointDue) {
      isCheckpointDue = true;
      turns.executeLong(this::writeCheckpoint);
    }
  }

  private void writeCheckpoint() {
    isCheckpointDue = false;
    Checkpoint now = new Checkpoint(state.snapshot(), promise());
    checkpoint = now;
    loggedBytes = 0;
    long kept = acceptor.firstWithin(now.slot(), options.limits().log());
    acceptor.dropThrough(Math.max(now.slot() - options.retainedSlots(), kept - 1));
    remembered = journal.checkpoint(now);
    after(remembered, () -> {});
  }

  /** Takes the checkpoint of another replica, with slots that no log has any more. */
  void onSnapshot(Checkpoint from) {
    if (from.slot() > learner.chosenThrough()) {
      if (leader.stage() == Stage.LEADING) {
        follow();
      }
      state.restore(from.state());
      learner.onSnapshot(from.slot());
      acceptor.dropThrough(from.slot());
      writeCheckpoint();
      apply();
    }
  }

  /**
   * Returns chosen entries from a slot on; if these are dropped, an entry of ballot NONE stands for
   * a snapshot.
   */
  List<Entry> chosenFrom(long slot, int most) {
    if (slot <= acceptor.droppedThrough()) {
      return List.of(
          new Entry(acceptor.droppedThrough(), Ballot.NONE, ByteString.emptyByteString()));
    }
    long through = Math.min(learner.chosenThrough(), slot + most - 1);
    return acceptor.entries(slot, through);
  }

  /** Returns the last checkpoint, if there is a checkpoint. */
  Optional<Checkpoint> checkpoint() {
    return Optional.ofNullable(checkpoint);
  }

  /** Sends lost messages again, and tells the chosen slots. */
  void onTick() {
    boolean isWaiting = appointed() == options.self() && !isAdmitted.getAsBoolean();
    if (failure != null || isWaiting) {
      // The others look for the next leader.
      links.resign();
      return;
    }
    idleTicks++;
    if (appointed() == options.self() && leader.stage() != Stage.LEADING) {
      boolean isPatient = isPromising || idleTicks <= PATIENCE_TICKS;
      if (leader.stage() == Stage.FOLLOWING || !isPatient) {
        lead();
      } else if (leader.stage() == Stage.CATCHING_UP) {
        links.catchUp(leader.mostInformed(), learner.chosenThrough() + 1);
      }
    }
    if (leader.stage() == Stage.LEADING) {
      for (int other = 0; other < options.members().size(); other++) {
        if (other != options.self()) {
          remind(other);
        }
      }
    } else if (learner.isBehind() && informant >= 0 && informant != options.self()) {
      links.catchUp(informant, learner.chosenThrough() + 1);
    }
  }

  /** A proposal tells the chosen slots, too; so no separate news take the place of a proposal. */
  private void remind(int other) {
    watch.onChosen(leader.ballot(), 0, learner.chosenThrough());
    List<Entry> missing = leader.missing(other);
    if (missing.isEmpty()) {
      links.chosen(other, new Chosen(leader.ballot(), 0, learner.chosenThrough()));
    } else {
      links.repeat(other, missing, learner.chosenThrough());
    }
  }

  /** Returns the replica named as leader; -1 for none. */
  int preferred() {
    return preferred;
  }

  Stage stage() {
    return leader.stage();
  }

  long appliedThrough() {
    return learner.chosenThrough();
  }

  KeyValues state() {
    return state;
  }
}
