package io.millrace.api.actor;

import io.millrace.api.Broadcast;
import io.millrace.api.Peer;
import io.millrace.api.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;

/**
 * The calls, bulk transfers and broadcasts of one transport's actor: each has exactly one reply,
 * and can be cancelled until then. Begun and cancelled on the actor's thread, answered on the
 * transport's executor.
 */
final class ActorCalls {
  private final Transport transport;
  private final NamedPeers peers;
  private final ConcurrentHashMap<Caller, Runnable> open = new ConcurrentHashMap<>();

  /** Who is told how a call ended. */
  private record Caller(long correlation, ActorRef<CallReply> replyTo) {
    void fail(Throwable failure) {
      CallFailure told = CallFailure.of(failure);
      replyTo.tell(new CallReply.Failed(correlation, told.outcome(), told.text()));
    }
  }

  ActorCalls(Transport transport, NamedPeers peers) {
    this.transport = transport;
    this.peers = peers;
  }

  void call(TransportCommand.Call call) {
    answer(
        () -> peers.peer(call.peer()).unary(call.request()),
        response -> new CallReply.Answered(call.correlation(), response),
        new Caller(call.correlation(), call.replyTo()));
  }

  void write(TransportCommand.WriteBulk write) {
    answer(
        () -> {
          Peer peer;
          try {
            peer = peers.peer(write.peer());
          } catch (RuntimeException e) {
            write.source().close();
            throw e;
          }
          return peer.bulkWrite(write.route(), write.source(), write.options());
        },
        receipt -> new CallReply.Transferred(write.correlation(), receipt),
        new Caller(write.correlation(), write.replyTo()));
  }

  void read(TransportCommand.ReadBulk read) {
    answer(
        () -> {
          Peer peer;
          try {
            peer = peers.peer(read.peer());
          } catch (RuntimeException e) {
            read.target().abort(e);
            throw e;
          }
          return peer.bulkRead(read.route(), read.target(), read.options());
        },
        receipt -> new CallReply.Transferred(read.correlation(), receipt),
        new Caller(read.correlation(), read.replyTo()));
  }

  /** Whom no address leads to has an outcome like all others. */
  void broadcast(TransportCommand.Broadcast command) {
    Caller caller = new Caller(command.correlation(), command.replyTo());
    Recipients recipients = Recipients.of(command.recipients(), peers);
    Broadcast broadcast;
    try {
      broadcast =
          transport.broadcast(
              command.route(), command.source(), command.headers(), recipients.destinations());
    } catch (RuntimeException e) {
      caller.fail(e);
      return;
    }
    track(
        broadcast.outcomes(),
        broadcast::cancel,
        outcomes -> new CallReply.Delivered(command.correlation(), recipients.outcomes(outcomes)),
        caller);
  }

  /** Does nothing to what has ended. */
  void cancel(TransportCommand.CancelCall command) {
    Runnable cancelling = open.get(new Caller(command.correlation(), command.replyTo()));
    if (cancelling != null) {
      cancelling.run();
    }
  }

  private <T> void answer(
      Supplier<CompletableFuture<T>> call, Function<T, CallReply> reply, Caller caller) {
    CompletableFuture<T> future;
    try {
      future = call.get();
    } catch (RuntimeException e) {
      caller.fail(e);
      return;
    }
    track(future, () -> future.cancel(false), reply, caller);
  }

  private <T> void track(
      CompletableFuture<T> future,
      Runnable cancelling,
      Function<T, CallReply> reply,
      Caller caller) {
    open.put(caller, cancelling);
    var _ =
        future.whenComplete(
            (value, failure) -> {
              open.remove(caller, cancelling);
              if (failure == null) {
                caller.replyTo().tell(reply.apply(value));
              } else {
                caller.fail(failure);
              }
            });
  }
}
