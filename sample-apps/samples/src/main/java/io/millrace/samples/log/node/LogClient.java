package io.millrace.samples.log.node;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCompletion;
import io.millrace.samples.log.core.Operation;
import io.millrace.samples.log.core.Result;
import io.millrace.samples.log.core.Result.Status;
import io.millrace.samples.peers.PeerBook;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.agrona.DirectBuffer;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;

/**
 * A client's session: one operation at a time. The client asks the leader, and asks again with the
 * same number after an unknown outcome, so that an operation is done once. Any thread may call the
 * client, with a single operation at a time.
 */
public final class LogClient {
  private static final TransferOptions CALL =
      TransferOptions.DEFAULTS.withDeadline(Duration.ofSeconds(2));
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final BiFunction<Integer, Operation, CompletableFuture<Result>> calls;
  private final ActorSystem<?> system;
  private final int members;
  private volatile int target;
  private volatile long session;
  private volatile long sequence;

  private LogClient(
      BiFunction<Integer, Operation, CompletableFuture<Result>> calls,
      ActorSystem<?> system,
      int members) {
    this.calls = calls;
    this.system = system;
    this.members = members;
  }

  /**
   * Returns a client of these replicas, on a node outside the log. The hosts of some replicas may
   * be unknown yet.
   *
   * @param system the actor system with the scheduler for the client's pauses
   */
  public static LogClient of(Transport transport, ActorSystem<?> system, List<String> members) {
    PeerBook peers = new PeerBook(transport, members);
    return new LogClient(
        (member, operation) -> call(peers, member, operation), system, members.size());
  }

  /**
   * Returns a client as {@link #of} does, whose futures complete on the workers' threads: dependent
   * stages must not block. So the next operation of a session begins without a hop.
   */
  public static LogClient onWorkers(
      Transport transport, ActorSystem<?> system, List<String> members) {
    PeerBook peers = new PeerBook(transport, members);
    return new LogClient(
        (member, operation) -> callOnWorker(peers, member, operation), system, members.size());
  }

  private static CompletableFuture<Result> callOnWorker(
      PeerBook peers, int member, Operation operation) {
    CompletableFuture<Result> answer = new CompletableFuture<>();
    peers
        .peer(member)
        .ifPresentOrElse(
            peer ->
                peer.unaryOnWorker(
                    LogRoutes.REQUEST,
                    LogRoutes.OPERATION.encode(operation),
                    CALL,
                    new Answered(answer)),
            () -> answer.completeExceptionally(new UnknownHostException()));
    return answer;
  }

  private record Answered(CompletableFuture<Result> answer) implements WorkerCompletion {
    @Override
    public void onResponse(DirectBuffer buffer, int offset, int length) {
      try {
        answer.complete(LogRoutes.RESULT.decode(WorkerServing.copy(buffer, offset, length)));
      } catch (IllegalArgumentException e) {
        answer.completeExceptionally(e);
      }
    }

    @Override
    public void onFailure(CallException failure) {
      answer.completeExceptionally(failure);
    }
  }

  /** Returns a client on the node of a replica. */
  public static LogClient beside(
      ReplicaNode replica, Transport transport, ActorSystem<?> system, List<String> members) {
    int own = members.indexOf(transport.address());
    PeerBook peers = new PeerBook(transport, members);
    LogClient client =
        new LogClient(
            (member, operation) ->
                member == own ? replica.request(operation) : call(peers, member, operation),
            system,
            members.size());
    client.target = Math.max(0, own);
    return client;
  }

  private static CompletableFuture<Result> call(PeerBook peers, int member, Operation operation) {
    Optional<Peer> peer = peers.peer(member);
    return peer.isPresent()
        ? peer.get().unary(LogRoutes.REQUEST, operation, CALL)
        : CompletableFuture.failedFuture(new UnknownHostException());
  }

  /**
   * Performs an operation. The future completes when the log has answered. Failures of the network
   * do not fail the future; other failures do, such as a closed transport. A caller that stops
   * waiting cancels the future, and then the operation may be done or not. After {@code NO_SESSION}
   * the next operation opens a session.
   */
  public CompletableFuture<Result> execute(Operation operation) {
    CompletableFuture<Result> answer = new CompletableFuture<>();
    if (session != 0) {
      long next = sequence + 1;
      sequence = next;
      send(operation.in(session, next), answer);
      return answer;
    }
    CompletableFuture<Result> opened = new CompletableFuture<>();
    send(Operation.open(), opened);
    var _ =
        opened.whenComplete(
            (result, failure) -> {
              if (result == null) {
                answer.completeExceptionally(Objects.requireNonNull(failure, "a future's end"));
                return;
              }
              session = result.number();
              sequence = 1;
              send(operation.in(session, sequence), answer);
            });
    var _ = answer.whenComplete((_, _) -> opened.cancel(false));
    return answer;
  }

  /** Returns the number of the member to ask first: the leader, as far as the client knows. */
  public int leader() {
    return target;
  }

  private void send(Operation operation, CompletableFuture<Result> answer) {
    if (answer.isDone()) {
      return;
    }
    int asked = target;
    var _ =
        calls
            .apply(asked, operation)
            .whenComplete((result, failure) -> onEnd(operation, answer, asked, result, failure));
  }

  private void onEnd(
      Operation operation,
      CompletableFuture<Result> answer,
      int asked,
      @Nullable Result result,
      @Nullable Throwable failure) {
    if (result != null && result.isFinal()) {
      if (result.status() == Status.NO_SESSION) {
        session = 0;
      }
      answer.complete(result);
      return;
    }
    if (failure != null
        && !(failure instanceof CallException)
        && !(failure instanceof UnknownHostException)) {
      answer.completeExceptionally(failure);
      return;
    }
    boolean isTold =
        result != null
            && result.status() != Status.OVERLOADED
            && result.number() >= 0
            && result.number() < members
            && result.number() != asked;
    if (isTold && result != null) {
      target = (int) result.number();
    } else if (result == null || result.status() != Status.OVERLOADED) {
      target = (asked + 1) % members;
    }
    var _ =
        system
            .scheduler()
            .scheduleOnce(PAUSE, () -> send(operation, answer), system.executionContext());
  }
}
