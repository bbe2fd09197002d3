package io.millrace.samples.log.node;

import io.millrace.api.Call;
import io.millrace.api.CallException;
import io.millrace.api.CausalityScope;
import io.millrace.api.Delivery;
import io.millrace.api.Destination;
import io.millrace.api.Peer;
import io.millrace.api.SealedPayload;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCompletion;
import io.millrace.api.bulk.BulkSource;
import io.millrace.samples.log.core.Ballot;
import io.millrace.samples.log.core.Entry;
import io.millrace.samples.peers.PeerBook;
import io.millrace.transfer.CausalityToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a replica's messages over Millrace, to all members with known hosts. A proposal of a few
 * KiB is a call of its own to each peer, and the worker's thread handles the answer. A larger
 * proposal is sealed once and sent as a call to each peer. A proposal of still more bytes is
 * broadcast by bulk, and a short call that depends on its arrival has the proposal accepted. The
 * news that a slot is chosen is sent along with the proposal, after the quorum of the acceptances,
 * if the log was calm before: otherwise the next proposal or the next tick tells the chosen slots.
 * The transport holds the news back until the acceptances arrive, and drops the news if the quorum
 * is out of reach.
 */
final class PeerLinks implements Replica.Links, AutoCloseable {
  /** Up to here a proposal is cheaper sealed for each peer than sealed once by an executor. */
  private static final int INLINE_BYTES = 8 * 1_024;

  private static final int CALL_BYTES = 64 * 1024;
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final TransferOptions CALL = TransferOptions.DEFAULTS.withDeadline(DEADLINE);

  /** The options of a proposal: the news of its choice depend on the call's token. */
  private static final TransferOptions TOLD = CALL.withToken();

  private static final Duration BULK_DEADLINE = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(PeerLinks.class);

  /** Another replica. */
  private record Remote(int replica, Peer peer) {}

  private record Flight(int replica, Ballot ballot, long slot) {}

  /**
   * An entry to propose.
   *
   * @param own completes when the entry is on this replica's disk
   * @param isLast whether no other message may tell soon that the slot is chosen
   */
  private record Proposal(
      Entry entry, CompletionStage<Void> own, boolean isLast, List<Remote> to) {}

  private final Transport transport;
  private final ReplicaOptions options;
  private final Turns turns;
  private final Supplier<Replica> replica;
  private final CausalityScope scope;
  private final CatchUp catchUp;
  private final PeerBook members;
  private final Set<Flight> flights = new HashSet<>();

  /**
   * Links to all members but the replica itself.
   *
   * @param members in the order of their numbers
   */
  PeerLinks(
      Transport transport,
      PeerBook members,
      ReplicaOptions options,
      Turns turns,
      Supplier<Replica> replica) {
    this.transport = transport;
    this.options = options;
    this.turns = turns;
    this.replica = replica;
    this.members = members;
    catchUp = new CatchUp(transport, turns, replica);
    scope = transport.causalityScope();
    // The first look at the name service may block, and a turn must not: all hosts are looked up
    // now.
    List<Remote> _ = others();
  }

  @Override
  public void close() {
    catchUp.close();
    scope.close();
  }

  private List<Remote> others() {
    return IntStream.range(0, members.size())
        .mapToObj(this::other)
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Remote> other(int member) {
    return member == options.self()
        ? Optional.empty()
        : members.peer(member).map(peer -> new Remote(member, peer));
  }

  @Override
  public void prepare(Ballot ballot) {
    for (Remote other : others()) {
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
    Proposal proposal = new Proposal(entry, own, isLast, others());
    proposal.to().forEach(other -> flights.add(flight(other, entry)));
    if (bytes.size() <= INLINE_BYTES && !isLast) {
      proposal.to().forEach(other -> propose(other, entry, bytes));
    } else if (bytes.size() <= INLINE_BYTES) {
      begun(proposal, callAll(proposal, peer -> peer.unary(LogRoutes.ACCEPT, bytes, TOLD)));
    } else if (bytes.size() > CALL_BYTES) {
      broadcast(proposal, bytes);
    } else {
      var _ =
          transport
              .seal(BulkSource.of(bytes.toArrayUnsafe()))
              .whenCompleteAsync(
                  (payload, failure) -> {
                    if (failure == null) {
                      begun(proposal, sealedToAll(proposal, payload));
                    } else {
                      proposal.to().forEach(other -> flights.remove(flight(other, entry)));
                    }
                  },
                  turns);
    }
  }

  private static Flight flight(Remote other, Entry entry) {
    return new Flight(other.replica(), entry.ballot(), entry.slot());
  }

  private static List<Call<Long>> callAll(Proposal proposal, Function<Peer, Call<Long>> call) {
    return proposal.to().stream().map(Remote::peer).map(call).toList();
  }

  private static List<Call<Long>> sealedToAll(Proposal proposal, SealedPayload payload) {
    try (payload) {
      return callAll(proposal, peer -> peer.unary(LogRoutes.ACCEPT, payload, TOLD));
    }
  }

  private void broadcast(Proposal proposal, ByteString bytes) {
    Entry entry = proposal.entry();
    if (proposal.to().isEmpty()) {
      return;
    }
    List<Destination> destinations =
        proposal.to().stream()
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
    proposal.to().stream()
        .skip(calls.size())
        .forEach(other -> flights.remove(flight(other, entry)));
    begun(proposal, calls);
  }

  /** These calls are under way, to the first receivers of the proposal. */
  private void begun(Proposal proposal, List<Call<Long>> calls) {
    if (proposal.isLast() && calls.size() + 1 >= options.quorum().accept()) {
      try {
        tellAfter(proposal, calls);
      } catch (IllegalStateException e) {
        // No slot is free for a token: the others hear of the choice with the next proposal or
        // tick.
        LOG.debug("replica {} tells the chosen slots later", options.self(), e);
      }
    }
    for (int i = 0; i < calls.size(); i++) {
      onEnd(proposal.to().get(i), proposal.entry(), calls.get(i));
    }
  }

  /**
   * Tells the others that a slot is chosen, at the moment of the choice; nothing here waits for the
   * choice.
   */
  private void tellAfter(Proposal proposal, List<Call<Long>> calls) {
    Entry entry = proposal.entry();
    List<CausalityToken> acceptances = new ArrayList<>();
    calls.forEach(call -> acceptances.add(call.token()));
    CausalityToken forced = scope.begin();
    acceptances.add(forced);
    var _ =
        proposal
            .own()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    scope.succeed(forced);
                  } else {
                    scope.fail(forced);
                  }
                });
    Chosen chosen = new Chosen(entry.ballot(), entry.slot(), 0);
    TransferOptions after = CALL.afterQuorum(options.quorum().accept(), acceptances);
    for (Remote other : proposal.to().subList(0, calls.size())) {
      var _ = other.peer().unary(LogRoutes.CHOSEN, chosen, after);
    }
  }

  private void onEnd(Remote other, Entry entry, Call<Long> call) {
    var _ = call.whenCompleteAsync((slot, failure) -> ended(other, entry, failure), turns);
  }

  private void ended(Remote other, Entry entry, @Nullable Throwable failure) {
    flights.remove(flight(other, entry));
    if (failure == null) {
      replica.get().onAccepted(other.replica(), entry.ballot(), entry.slot());
    } else {
      RefusedException.ballotOf(failure).ifPresent(replica.get()::onBallot);
    }
  }

  /** The worker that receives the answer runs the turn, too, without the executor in between. */
  private void propose(Remote other, Entry entry, ByteString bytes) {
    other
        .peer()
        .unaryOnWorker(
            LogRoutes.ACCEPT,
            bytes,
            CALL,
            new WorkerCompletion() {
              @Override
              public void onResponse(DirectBuffer buffer, int offset, int length) {
                turns.execute(() -> ended(other, entry, null));
              }

              @Override
              public void onFailure(CallException failure) {
                turns.execute(() -> ended(other, entry, failure));
              }
            });
  }

  @Override
  public void repeat(int to, List<Entry> entries, long chosenThrough) {
    other(to).ifPresent(other -> repeat(other, entries, chosenThrough));
  }

  private void repeat(Remote other, List<Entry> entries, long chosenThrough) {
    for (Entry entry : entries) {
      if (flights.add(flight(other, entry))) {
        propose(other, entry, new Accept(entry, chosenThrough).encode());
      }
    }
  }

  @Override
  public void chosen(int to, Chosen chosen) {
    other(to)
        .ifPresent(
            other -> {
              var _ = other.peer().unary(LogRoutes.CHOSEN, chosen, CALL);
            });
  }

  @Override
  public void resign() {
    for (Remote other : others()) {
      var _ = other.peer().unary(LogRoutes.RESIGN, (long) options.self(), CALL);
    }
  }

  @Override
  public void catchUp(int from, long slot) {
    other(from).ifPresent(other -> catchUp.begin(other.peer(), slot));
  }
}
