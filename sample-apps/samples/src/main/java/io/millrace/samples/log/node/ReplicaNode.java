package io.millrace.samples.log.node;

import static java.util.concurrent.CompletableFuture.completedFuture;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.millrace.api.Registration;
import io.millrace.api.ServeOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.ReplicaWatch;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.disk.Checkpoint;
import io.millrace.samples.log.disk.Journal;
import io.millrace.samples.peers.PeerBook;
import io.millrace.transfer.BodySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A replica that serves peers and clients over a transport, until a call of {@link #close}. Any
 * thread.
 */
public final class ReplicaNode implements AutoCloseable {
  private static final int CATCH_UP_ENTRIES = 256;

  /** A message to the actor. */
  private sealed interface Message {
    /** A look for messages to send again. */
    record Tick() implements Message {}

    /** The end of the actor. */
    record Stop() implements Message {}
  }

  /**
   * The state of a replica.
   *
   * @param appliedThrough the last slot applied to the state: all replicas with the same number
   *     hold the same state
   * @param values the values by key
   */
  public record Contents(long appliedThrough, Map<String, ByteString> values) {}

  private final ActorRef<Message> actor;
  private final Turns turns;

  /** Runs tasks that take long and need no turn. */
  private final Executor others;

  private final PeerLinks links;
  private final Replica replica;
  private final WatchedJournal journal;
  private final ReplicaOptions options;

  /** Null for a replica without the check of its directory's identity. */
  private final @Nullable Joining joining;

  /** The leader named by the cluster; used in turns. */
  private int named = -1;

  private volatile List<Integer> members = List.of();
  private final ArrivingValues values = new ArrivingValues();
  private final Voters voters;
  private final List<Registration> registrations = new ArrayList<>();

  private ReplicaNode(
      Transport transport,
      Executor others,
      ReplicaOptions options,
      Storage storage,
      ReplicaWatch watch,
      ActorRef<Message> actor,
      CompletableFuture<ReplicaNode> made) {
    this.others = others;
    this.options = options;
    this.actor = actor;
    journal = new WatchedJournal(storage.journal());
    turns = new Turns(others);
    voters = new Voters(options.members());
    PeerBook peers = new PeerBook(transport, options.members());
    CompletableFuture<Replica> connected = new CompletableFuture<>();
    links = new PeerLinks(transport, peers, options, turns, connected::join);
    Identities identities = storage.identities();
    joining =
        identities == null
            ? null
            : new Joining(options, identities, storage.isReplacing(), peers, turns, others);
    try {
      replica = new Replica(options, journal, turns, links, watch, this::isAdmitted);
      connected.complete(replica);
      made.complete(this);
      serve(transport);
    } catch (RuntimeException e) {
      disconnect();
      throw e;
    }
  }

  /**
   * The storage of a replica.
   *
   * @param journal the journal, which is not closed with the replica
   * @param identities the identities of the journal's directory. Without identities the replica
   *     takes part at once, and must not be given an empty journal in place of a journal that held
   *     promises
   * @param isReplacing whether the directory takes the place of a lost directory
   */
  public record Storage(Journal journal, @Nullable Identities identities, boolean isReplacing) {}

  /**
   * Starts a replica with the journal of its whole life. The replica leads when {@link #lead} says
   * so.
   *
   * @param journal the journal, which is not closed with the replica
   */
  public static ReplicaNode start(
      Transport transport, ActorSystem<?> system, ReplicaOptions options, Journal journal) {
    return start(transport, system, options, new Storage(journal, null, false));
  }

  /** Starts a replica that takes part when the others have noted its directory. */
  public static ReplicaNode start(
      Transport transport, ActorSystem<?> system, ReplicaOptions options, Storage storage) {
    return start(transport, system, options, storage, ReplicaWatch.NONE);
  }

  /**
   * Starts a replica like {@link #start(Transport, ActorSystem, ReplicaOptions, Storage)}, under a
   * check's eyes.
   */
  public static ReplicaNode start(
      Transport transport,
      ActorSystem<?> system,
      ReplicaOptions options,
      Storage storage,
      ReplicaWatch watch) {
    CompletableFuture<ReplicaNode> made = new CompletableFuture<>();
    ActorRef<Message> actor =
        system.systemActorOf(
            behavior(options, made), "log-replica-" + options.self(), Props.empty());
    try {
      return new ReplicaNode(
          transport, system.executionContext(), options, storage, watch, actor, made);
    } catch (RuntimeException e) {
      actor.tell(new Message.Stop());
      throw e;
    }
  }

  /**
   * Returns settings for the actor system of a replica, or of a client under load. A worker sleeps
   * as soon as the worker has nothing to do: a commit waits for the force of a disk, which takes
   * longer than a spin, and the nodes of a log often share their cores.
   */
  public static Config settings() {
    return ConfigFactory.parseMap(
        Map.of(
            "millrace.worker-dispatcher.backoff.spins", 0,
            "millrace.worker-dispatcher.backoff.yields", 0));
  }

  private static Behavior<Message> behavior(
      ReplicaOptions options, CompletableFuture<ReplicaNode> made) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(new Message.Tick(), options.tick());
          return Behaviors.receive(Message.class)
              .onMessage(
                  Message.Tick.class,
                  tick -> {
                    var _ = made.thenAccept(ReplicaNode::tick);
                    return Behaviors.same();
                  })
              .onMessage(Message.Stop.class, stop -> Behaviors.stopped())
              .onSignal(
                  PostStop.class,
                  _ -> {
                    var _ = made.thenAccept(node -> node.turns.end(node.replica::onStop));
                    return Behaviors.same();
                  })
              .build();
        });
  }

  /** The ticks of a replica until its admission may write to the disk. */
  private void tick() {
    if (isAdmitted()) {
      turns.execute(this::onTick);
    } else {
      turns.executeLong(this::onTick);
    }
  }

  private void onTick() {
    if (joining != null && joining.onTick(replica, links::catchUp)) {
      replica.onLeader(named);
    }
    replica.onTick();
  }

  private boolean isAdmitted() {
    return joining == null || joining.isAdmitted();
  }

  private void serve(Transport transport) {
    ServeOptions fromVoters = voters.onWorkers(others);
    registrations.add(
        transport.serveOnWorker(
            LogRoutes.REQUEST,
            WorkerServing.answering(
                LogRoutes.RESULT, bytes -> request(LogRoutes.OPERATION.decode(bytes)))));
    registrations.add(transport.serve(LogRoutes.STATUS, _ -> status()));
    registrations.add(
        transport.serve(
            LogRoutes.PREPARE,
            voters.only(),
            (ballot, _) -> vote(answer -> replica.onPrepare(ballot, answer))));
    Joining introduced = joining;
    if (introduced != null) {
      registrations.add(
          transport.serve(
              LogRoutes.JOIN, voters.only(), (from, _) -> introduced.onIntroduced(from)));
    }
    registrations.add(
        transport.serveOnWorker(
            LogRoutes.ACCEPT, fromVoters, WorkerServing.answering(LogRoutes.NUMBER, this::accept)));
    registrations.add(
        transport.serveBulkWrites(
            LogRoutes.VALUE,
            offer -> {
              voters.require(offer.peer(), offer.identity());
              return values.accept(offer);
            }));
    registrations.add(
        transport.serve(LogRoutes.ACCEPT_VALUE, voters.only(), (which, _) -> acceptValue(which)));
    registrations.add(
        transport.serveOnWorker(
            LogRoutes.CHOSEN,
            fromVoters,
            WorkerServing.taking(
                bytes -> {
                  Chosen chosen = LogRoutes.CHOSEN_MESSAGE.decode(bytes);
                  turns.execute(() -> replica.onChosen(chosen));
                })));
    registrations.add(
        transport.serve(
            LogRoutes.RESIGN,
            voters.only(),
            (number, _) -> {
              turns.execute(() -> replica.onResigned(number.intValue()));
              return completedFuture(number);
            }));
    serveThePast(transport);
  }

  /** Serves the routes on which a replica that was away asks for entries and for a checkpoint. */
  private void serveThePast(Transport transport) {
    registrations.add(
        transport.serveStreamingResponse(
            LogRoutes.CATCH_UP,
            voters.only(),
            (slot, _) ->
                Source.completionStage(ask(node -> node.chosenFrom(slot, CATCH_UP_ENTRIES)))
                    .mapConcat(entries -> entries)));
    registrations.add(
        transport.serveBulkReads(
            LogRoutes.SNAPSHOT,
            offer -> {
              voters.require(offer.peer(), offer.identity());
              return ask(Replica::checkpoint).thenApplyAsync(ReplicaNode::source, others);
            }));
  }

  private static BodySource source(Optional<Checkpoint> checkpoint) {
    return BulkSource.of(checkpoint.orElseThrow().encode().toArrayUnsafe());
  }

  private CompletableFuture<Long> accept(ByteString bytes) {
    Accept accept = Accept.decode(bytes);
    return vote(answer -> replica.onAccept(accept, answer));
  }

  private CompletableFuture<Long> acceptValue(Chosen which) {
    Accept accept = values.take(which);
    if (accept == null) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("the proposal for slot " + which.slot() + " is not here"));
    }
    return vote(answer -> replica.onAccept(accept, answer));
  }

  private <T> CompletableFuture<T> inTurn(Consumer<CompletableFuture<T>> step) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    turns.execute(
        () -> {
          try {
            step.accept(answer);
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
            throw e;
          }
        });
    return answer;
  }

  /** Runs a step like {@link #inTurn}, if the replica takes part by then. */
  private <T> CompletableFuture<T> vote(Consumer<CompletableFuture<T>> step) {
    return inTurn(
        answer -> {
          if (isAdmitted()) {
            step.accept(answer);
          } else {
            answer.completeExceptionally(new NotAdmittedException());
          }
        });
  }

  private <T> CompletableFuture<T> ask(Function<Replica, T> question) {
    return inTurn(answer -> answer.complete(question.apply(replica)));
  }

  /**
   * Takes a client's operation, like an operation from the network. The future completes in a turn
   * of the replica, so its dependent stages must not block.
   */
  public CompletableFuture<Result> request(Operation operation) {
    return inTurn(answer -> replica.onRequest(operation, answer));
  }

  /** Tells the number of the replica that should lead, -1 for no replica. */
  public void lead(int replicaNumber) {
    turns.execute(
        () -> {
          named = replicaNumber;
          boolean mayLead = replicaNumber != options.self() || isAdmitted();
          replica.onLeader(mayLead ? replicaNumber : -1);
        });
  }

  /** These replicas are members of the cluster, as {@link #status} tells. */
  public void onMembers(SortedSet<Integer> replicas) {
    members = List.copyOf(replicas);
  }

  /**
   * Completes with the cause when the disk has failed. The replica takes no part from then on. The
   * replica should leave the cluster, so that another replica leads, and be started again.
   */
  public CompletableFuture<Throwable> diskFailure() {
    return journal.failure().copy();
  }

  /** Returns the state of the replica. */
  public CompletableFuture<ReplicaStatus> status() {
    return ask(
        node ->
            new ReplicaStatus(
                node.stage().name(),
                node.preferred(),
                members,
                node.appliedThrough(),
                trouble(journal.failure().getNow(null))));
  }

  private String trouble(@Nullable Throwable diskFailure) {
    if (diskFailure != null) {
      return "the disk failed, and the replica needs a restart: " + diskFailure.getMessage();
    }
    return joining == null ? "" : joining.trouble();
  }

  /**
   * Completes with a sentence when another replica knows another directory for this replica's
   * number: the replica takes no part, and should be closed.
   */
  public CompletableFuture<String> refusal() {
    return joining == null ? new CompletableFuture<>() : joining.refusal().copy();
  }

  /** Returns the present contents of the replica. */
  public CompletableFuture<Contents> contents() {
    CompletableFuture<Contents> answer = new CompletableFuture<>();
    turns.executeLong(
        () -> answer.complete(new Contents(replica.appliedThrough(), replica.state().contents())));
    return answer;
  }

  @Override
  public void close() {
    disconnect();
    actor.tell(new Message.Stop());
  }

  private void disconnect() {
    registrations.forEach(Registration::close);
    links.close();
  }
}
