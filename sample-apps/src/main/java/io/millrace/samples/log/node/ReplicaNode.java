package io.millrace.samples.log.node;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.millrace.api.Registration;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replica that serves peers and clients over a transport, until it is closed. Any thread. */
public final class ReplicaNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaNode.class);
  private static final int CATCH_UP_ENTRIES = 256;

  /** What the actor is told. */
  private sealed interface Message {
    /** Something to do in a turn. */
    record Turn(Runnable step) implements Message {}

    /** Look what is to be sent again. */
    record Tick() implements Message {}

    /** End. */
    record Stop() implements Message {}
  }

  /**
   * What a replica holds.
   *
   * @param appliedThrough slots that made it: all replicas that applied so many hold the same
   * @param values by key
   */
  public record Contents(long appliedThrough, Map<String, ByteString> values) {}

  private final ActorRef<Message> actor;
  private final Executor turns;

  /** For what takes long and needs no turn. */
  private final Executor others;

  private final PeerLinks links;
  private final Replica replica;
  private final WatchedJournal journal;
  private final ReplicaOptions options;

  /** Null where nobody looks whether a directory is the one that held promises. */
  private final @Nullable Joining joining;

  /** The replica that the cluster names, in turns. */
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
    turns = step -> actor.tell(new Message.Turn(step));
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
   * What a replica remembers with.
   *
   * @param journal is not closed with the replica
   * @param identities of the journal's directory; without them the replica takes part at once, and
   *     must not be given an empty journal in place of one that held promises
   * @param isReplacing whether the directory takes the place of one that is lost
   */
  public record Storage(Journal journal, @Nullable Identities identities, boolean isReplacing) {}

  /**
   * Starts a replica whose journal is the one that it always had. It leads when it is told to by
   * {@link #lead}.
   *
   * @param journal is not closed with the replica
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

  /** As {@link #start(Transport, ActorSystem, ReplicaOptions, Storage)}, under a check's eyes. */
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

  private static Behavior<Message> behavior(
      ReplicaOptions options, CompletableFuture<ReplicaNode> made) {
    return Behaviors.withTimers(
        timers -> {
          timers.startTimerWithFixedDelay(new Message.Tick(), options.tick());
          return Behaviors.receive(Message.class)
              .onMessage(
                  Message.Turn.class,
                  turn -> {
                    run(turn.step());
                    return Behaviors.same();
                  })
              .onMessage(
                  Message.Tick.class,
                  tick -> {
                    if (made.isDone()) {
                      made.join().onTick();
                    }
                    return Behaviors.same();
                  })
              .onMessage(Message.Stop.class, stop -> Behaviors.stopped())
              .onSignal(
                  PostStop.class,
                  _ -> {
                    var _ = made.thenAccept(node -> node.replica.onStop());
                    return Behaviors.same();
                  })
              .build();
        });
  }

  /** A step that throws ends no replica: its caller's answer stays open until its deadline. */
  private static void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("a turn of the replica threw", e);
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
    registrations.add(transport.serve(LogRoutes.REQUEST, this::request));
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
        transport.serve(LogRoutes.ACCEPT, voters.only(), (bytes, _) -> accept(bytes)));
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
        transport.serve(
            LogRoutes.CHOSEN,
            voters.only(),
            (chosen, _) -> {
              turns.execute(() -> replica.onChosen(chosen));
              return completedFuture(chosen.slot());
            }));
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

  /** Routes by which a replica that was away asks for entries and for a checkpoint. */
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
    turns.execute(() -> step.accept(answer));
    return answer;
  }

  /** As {@link #inTurn}, if the replica takes part by then. */
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

  /** A client's operation, as if it had come over the network. */
  public CompletableFuture<Result> request(Operation operation) {
    return inTurn(answer -> replica.onRequest(operation, answer));
  }

  /** Tells who should lead, -1 for nobody. */
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
   * Completes with the cause when the disk has failed. The replica takes no part from then on; it
   * should leave the cluster, so that another one leads, and be started again.
   */
  public CompletableFuture<Throwable> diskFailure() {
    return journal.failure().copy();
  }

  /** How it is doing. */
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
      return "its disk failed, and it needs a restart: " + diskFailure.getMessage();
    }
    return joining == null ? "" : joining.trouble();
  }

  /**
   * Completes with a sentence when another replica knows another directory of this one: the replica
   * takes no part, and should be closed.
   */
  public CompletableFuture<String> refusal() {
    return joining == null ? new CompletableFuture<>() : joining.refusal().copy();
  }

  /** What it holds now. */
  public CompletableFuture<Contents> contents() {
    return ask(node -> new Contents(node.appliedThrough(), node.state().contents()));
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
