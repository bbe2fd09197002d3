package io.millrace.samples.log.node;

import io.millrace.api.Call;
import io.millrace.api.CausalityScope;
import io.millrace.api.Delivery;
import io.millrace.api.Destination;
import io.millrace.api.Peer;
import io.millrace.api.SealedPayload;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.transfer.CausalityToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.pekko.util.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica sends over Millrace. A proposal that fits a datagram goes inline, sealed with its
 * packet. A larger one is sealed once and sent as a call to each peer. One that is larger still is
 * broadcast by bulk, and a short call that depends on its arrival has it accepted. The news that a
 * slot is chosen is sent along with the proposal, after the quorum of the acceptances: the
 * transport holds it back until they are there, and drops it if they cannot come.
 */
final class PeerLinks implements Replica.Links, AutoCloseable {
  private static final int INLINE_BYTES = 1_024;
  private static final int CALL_BYTES = 64 * 1024;
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final TransferOptions CALL = TransferOptions.DEFAULTS.withDeadline(DEADLINE);

  /** Of a proposal: the news that it is chosen depend on it. */
  private static final TransferOptions TOLD = CALL.withToken();

  private static final Duration BULK_DEADLINE = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);

  /** Another replica. */
  private record Remote(int replica, Peer peer) {}

  private record Flight(int replica, Ballot ballot, long slot) {}

  private final Transport transport;
  private final ReplicaOptions options;
  private final Executor turns;
  private final Supplier<Replica> replica;
  private final CausalityScope scope;
  private final CatchUp catchUp;
  private final List<Remote> others;
  private final Set<Flight> flights = new HashSet<>();

  /**
   * Links to all members but the replica itself.
   *
   * @throws io.millrace.config.SettingsException if the host of a member is unknown
   */
  PeerLinks(
      Transport transport, ReplicaOptions options, Executor turns, Supplier<Replica> replica) {
    this.transport = transport;
    this.options = options;
    this.turns = turns;
    this.replica = replica;
    List<String> members = options.members();
    others =
        IntStream.range(0, members.size())
            .filter(member -> member != options.self())
            .mapToObj(member -> new Remote(member, transport.peer(members.get(member))))
            .toList();
    catchUp = new CatchUp(transport, turns, replica);
    scope = transport.causalityScope();
  }

  @Override
  public void close() {
    catchUp.close();
    scope.close();
  }

  @Override
  public void prepare(Ballot ballot) {
    for (Remote other : others) {
      var _ =
          other
              .peer()
              .unary(LogRoutes.PREPARE, ballot, CALL)
              .thenAcceptAsync(promise -> replica.get().onPromise(other.replica(), promise), turns);
    }
  }

  @Override
  public void accept(Entry entry, long chosenThrough, CompletionStage<Void> own, boolean isLast) {
    ByteString bytes = new Accept(entry, chosenThrough).encode();
    others.forEach(other -> flights.add(flight(other, entry)));
    if (bytes.size() <= INLINE_BYTES) {
      begun(entry, own, isLast, callAll(peer -> peer.unary(LogRoutes.ACCEPT, bytes, TOLD)));
    } else if (bytes.size() > CALL_BYTES) {
      broadcast(entry, own, isLast, bytes);
    } else {
      var _ =
          transport
              .seal(BulkSource.of(bytes.toArrayUnsafe()))
              .whenCompleteAsync(
                  (payload, failure) -> {
                    if (failure == null) {
                      begun(entry, own, isLast, sealedToAll(payload));
                    } else {
                      others.forEach(other -> flights.remove(flight(other, entry)));
                    }
                  },
                  turns);
    }
  }

  private static Flight flight(Remote other, Entry entry) {
    return new Flight(other.replica(), entry.ballot(), entry.slot());
  }

  private List<Call<Long>> callAll(Function<Peer, Call<Long>> call) {
    return others.stream().map(Remote::peer).map(call).toList();
  }

  private List<Call<Long>> sealedToAll(SealedPayload payload) {
    try (payload) {
      return callAll(peer -> peer.unary(LogRoutes.ACCEPT, payload, TOLD));
    }
  }

  private void broadcast(Entry entry, CompletionStage<Void> own, boolean isLast, ByteString bytes) {
    List<Destination> destinations =
        others.stream()
            .map(other -> new Destination(other.peer(), CALL.priority(), BULK_DEADLINE))
            .toList();
    List<Delivery> deliveries =
        transport
            .broadcast(LogRoutes.VALUE, BulkSource.of(bytes.toArrayUnsafe()), destinations)
            .deliveries();
    Chosen which = new Chosen(entry.ballot(), entry.slot(), 0);
    TransferOptions late = CALL.withDeadline(BULK_DEADLINE).withToken();
    List<Call<Long>> calls = new ArrayList<>();
    try {
      for (Delivery delivery : deliveries) {
        TransferOptions after = late.after(delivery.token());
        calls.add(delivery.peer().unary(LogRoutes.ACCEPT_VALUE, which, after));
      }
    } catch (IllegalStateException e) {
      LOG.debug("no slot for a token: slot {} is sent again", entry.slot(), e);
    }
    others.stream().skip(calls.size()).forEach(other -> flights.remove(flight(other, entry)));
    begun(entry, own, isLast, calls);
  }

  /** These calls are under way, to the first of the others. */
  private void begun(
      Entry entry, CompletionStage<Void> own, boolean isLast, List<Call<Long>> calls) {
    if (isLast && calls.size() + 1 >= options.quorum().accept()) {
      try {
        tellAfter(entry, own, calls);
      } catch (IllegalStateException e) {
        // No slot is free for a token: the others hear of it with the next proposal or tick.
        LOG.debug("replica {} tells later what is chosen", options.self(), e);
      }
    }
    for (int i = 0; i < calls.size(); i++) {
      onEnd(others.get(i), entry, calls.get(i));
    }
  }

  /** Tells the others that a slot is chosen, as soon as it is; nothing here waits for it. */
  private void tellAfter(Entry entry, CompletionStage<Void> own, List<Call<Long>> calls) {
    List<CausalityToken> acceptances = new ArrayList<>();
    calls.forEach(call -> acceptances.add(call.token()));
    CausalityToken forced = scope.begin();
    acceptances.add(forced);
    var _ =
        own.whenComplete(
            (done, failure) -> {
              if (failure == null) {
                scope.succeed(forced);
              } else {
                scope.fail(forced);
              }
            });
    Chosen chosen = new Chosen(entry.ballot(), entry.slot(), 0);
    TransferOptions after = CALL.afterQuorum(options.quorum().accept(), acceptances);
    for (Remote other : others.subList(0, calls.size())) {
      var _ = other.peer().unary(LogRoutes.CHOSEN, chosen, after);
    }
  }

  private void onEnd(Remote other, Entry entry, Call<Long> call) {
    var _ =
        call.whenCompleteAsync(
            (slot, failure) -> {
              flights.remove(flight(other, entry));
              if (failure == null) {
                replica.get().onAccepted(other.replica(), entry.ballot(), entry.slot());
              } else {
                RefusedException.ballotOf(failure).ifPresent(replica.get()::onBallot);
              }
            },
            turns);
  }

  @Override
  public void repeat(int to, List<Entry> entries, long chosenThrough) {
    Remote other = other(to);
    for (Entry entry : entries) {
      if (flights.add(flight(other, entry))) {
        ByteString bytes = new Accept(entry, chosenThrough).encode();
        onEnd(other, entry, other.peer().unary(LogRoutes.ACCEPT, bytes, CALL));
      }
    }
  }

  private Remote other(int of) {
    return others.get(of < options.self() ? of : of - 1);
  }

  @Override
  public void chosen(int to, Chosen chosen) {
    var _ = other(to).peer().unary(LogRoutes.CHOSEN, chosen, CALL);
  }

  @Override
  public void resign() {
    for (Remote other : others) {
      var _ = other.peer().unary(LogRoutes.RESIGN, (long) options.self(), CALL);
    }
  }

  @Override
  public void catchUp(int from, long slot) {
    catchUp.begin(other(from).peer(), slot);
  }
}
