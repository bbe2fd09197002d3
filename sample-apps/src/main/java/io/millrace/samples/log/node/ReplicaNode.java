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
import io.millrace.transfer.BodySource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private final ArrivingValues values = new ArrivingValues();
  private final List<Registration> registrations = new ArrayList<>();

  private ReplicaNode(
      Transport transport,
      Executor others,
      ReplicaOptions options,
      Journal journal,
      ReplicaWatch watch,
      ActorRef<Message> actor,
      CompletableFuture<Replica> made) {
    this.others = others;
    this.actor = actor;
    turns = step -> actor.tell(new Message.Turn(step));
    links = new PeerLinks(transport, options, turns, made::join);
    try {
      replica = new Replica(options, journal, turns, links, watch);
      made.complete(replica);
      serve(transport);
    } catch (RuntimeException e) {
      disconnect();
      throw e;
    }
  }

  /**
   * Starts a replica. It leads when it is told to by {@link #lead}.
   *
   * @param journal is not closed with the replica
   */
  public static ReplicaNode start(
      Transport transport, ActorSystem<?> system, ReplicaOptions options, Journal journal) {
    return start(transport, system, options, journal, ReplicaWatch.NONE);
  }

  /** As {@link #start(Transport, ActorSystem, ReplicaOptions, Journal)}, under a check's eyes. */
  public static ReplicaNode start(
      Transport transport,
      ActorSystem<?> system,
      ReplicaOptions options,
      Journal journal,
      ReplicaWatch watch) {
    CompletableFuture<Replica> made = new CompletableFuture<>();
    ActorRef<Message> actor =
        system.systemActorOf(
            behavior(options, made), "log-replica-" + options.self(), Props.empty());
    try {
      return new ReplicaNode(
          transport, system.executionContext(), options, journal, watch, actor, made);
    } catch (RuntimeException e) {
      actor.tell(new Message.Stop());
      throw e;
    }
  }

  private static Behavior<Message> behavior(
      ReplicaOptions options, CompletableFuture<Replica> made) {
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
                    var _ = made.thenAccept(Replica::onStop);
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

  private void serve(Transport transport) {
    registrations.add(transport.serve(LogRoutes.REQUEST, this::request));
    registrations.add(
        transport.serve(
            LogRoutes.PREPARE, ballot -> inTurn(answer -> replica.onPrepare(ballot, answer))));
    registrations.add(transport.serve(LogRoutes.ACCEPT, this::accept));
    registrations.add(transport.serveBulkWrites(LogRoutes.VALUE, values::accept));
    registrations.add(transport.serve(LogRoutes.ACCEPT_VALUE, this::acceptValue));
    registrations.add(
        transport.serve(
            LogRoutes.CHOSEN,
            chosen -> {
              turns.execute(() -> replica.onChosen(chosen));
              return completedFuture(chosen.slot());
            }));
    registrations.add(
        transport.serve(
            LogRoutes.RESIGN,
            number -> {
              turns.execute(() -> replica.onResigned(number.intValue()));
              return completedFuture(number);
            }));
    registrations.add(
        transport.serveStreamingResponse(
            LogRoutes.CATCH_UP,
            slot ->
                Source.completionStage(ask(node -> node.chosenFrom(slot, CATCH_UP_ENTRIES)))
                    .mapConcat(entries -> entries)));
    registrations.add(
        transport.serveBulkReads(
            LogRoutes.SNAPSHOT,
            offer -> ask(Replica::checkpoint).thenApplyAsync(ReplicaNode::source, others)));
  }

  private static BodySource source(Optional<Checkpoint> checkpoint) {
    return BulkSource.of(checkpoint.orElseThrow().encode().toArrayUnsafe());
  }

  private CompletableFuture<Long> accept(ByteString bytes) {
    Accept accept = Accept.decode(bytes);
    return inTurn(answer -> replica.onAccept(accept, answer));
  }

  private CompletableFuture<Long> acceptValue(Chosen which) {
    Accept accept = values.take(which);
    if (accept == null) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("the proposal for slot " + which.slot() + " is not here"));
    }
    return inTurn(answer -> replica.onAccept(accept, answer));
  }

  private <T> CompletableFuture<T> inTurn(Consumer<CompletableFuture<T>> step) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    turns.execute(() -> step.accept(answer));
    return answer;
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
    turns.execute(() -> replica.onLeader(replicaNumber));
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
