package io.millrace.samples.sim;

import io.millrace.access.CallPattern;
import io.millrace.api.Broadcast;
import io.millrace.api.Delivery;
import io.millrace.api.DeliveryOutcome;
import io.millrace.api.Destination;
import io.millrace.api.Route;
import io.millrace.api.SealedPayload;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.samples.sim.PlannedBroadcast.PlannedDelivery;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Outcome;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The planned broadcasts of a run: begins the broadcasts, receives the broadcasts, and answers for
 * their ends.
 */
final class BroadcastWork {
  static final Route<?, ?> BROADCAST = Route.bytes("broadcast");

  /** A clock changes its pace by less than this share. */
  private static final int TIMER_SHARE = 1_000;

  private final SimRun run;
  private final ClusterWork work;
  private final BroadcastPlans plans;
  private final NodesSettings settings;
  private final Pattern payloads;
  private final Pattern headers;

  /** Begins with no broadcasts. */
  BroadcastWork(SimRun run, ClusterWork work, BroadcastPlans plans, NodesSettings settings) {
    this.settings = settings;
    this.run = run;
    this.work = work;
    this.plans = plans;
    payloads = new Pattern(run.seed(), "bytes.broadcast");
    headers = new Pattern(run.seed(), "bytes.broadcast.headers");
  }

  /** Takes broadcasts in the node's present life. */
  void serve(SimNode node) {
    SimulatedServer life = work.life(node.number());
    if (life != null) {
      life.transport().serveBulkWrites(BROADCAST, offer -> onOffer(life, offer));
    }
  }

  private CompletionStage<BodyTarget> onOffer(SimulatedServer life, BulkOffer offer) {
    int node = life.number();
    byte[] offered = PlannedMessages.bytes(offer.headers());
    long id = ByteBuffer.wrap(offered).getLong();
    PlannedBroadcast broadcast = plans.broadcast(id);
    PlannedDelivery delivery = broadcast == null ? null : broadcast.to(node);
    if (broadcast == null || delivery == null) {
      run.fail("no creation", "n" + node + " was offered broadcast " + id);
      throw new IllegalStateException("no broadcast " + id);
    }
    PlannedCall call = delivery.call();
    if (isDenied(node)) {
      run.fail(
          ClusterWork.DENIED,
          delivery + ": the receiver denies the broadcast, but was offered the broadcast");
    }
    if (offer.priority() != call.priority()
        || offer.lengthBytes() != call.bytes()
        || !headers.matches(id, Long.BYTES, offered, Long.BYTES, rest(broadcast, offered))) {
      run.fail("integrity", delivery + ": was offered otherwise");
    }
    if (call.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("refuses on purpose");
    }
    PatternTarget target =
        new PatternTarget(
            payloads,
            call,
            what -> run.fail("integrity", delivery + ": " + what),
            () -> run.history().executed(delivery.historyId(), node, call.digest()));
    return CompletableFuture.completedFuture(work.lent().lend(life, delivery, target));
  }

  /**
   * Returns the bytes of the headers behind the id; as many as planned, or more than the headers
   * have.
   */
  private static int rest(PlannedBroadcast broadcast, byte[] offered) {
    boolean isWhole = offered.length == broadcast.headersBytes();
    return (isWhole ? offered.length : 0) - Long.BYTES;
  }

  /** Plans all broadcasts within {@code spanNs} from {@code fromNs} on. */
  void plan(long fromNs, long spanNs) {
    Draws times = run.swarm().draws("broadcast.time");
    for (long i = 0; i < plans.count(); i++) {
      long id = BroadcastPlans.FIRST_ID + i * BroadcastPlans.STEP;
      PlannedBroadcast broadcast = plans.broadcast(id);
      if (broadcast != null) {
        run.at(fromNs + times.below(id, 0, spanNs), broadcast.toString(), () -> make(broadcast));
      }
    }
  }

  private void make(PlannedBroadcast broadcast) {
    SimulatedServer life = work.life(broadcast.from());
    if (life == null) {
      return;
    }
    for (PlannedDelivery delivery : broadcast.deliveries()) {
      PlannedCall call = delivery.call();
      run.history().sent(delivery.historyId(), call.from(), call.to(), call.digest());
    }
    SimNode node = run.node(broadcast.from());
    try {
      node.call(
          () -> {
            begin(node, life, broadcast);
            return true;
          });
    } catch (Exception e) {
      run.fail("unexpected exception", broadcast + ": " + e, e);
    }
  }

  private void begin(SimNode node, SimulatedServer life, PlannedBroadcast broadcast) {
    Transport transport = life.transport();
    byte[] bytes = headers.bytes(broadcast.id(), broadcast.headersBytes());
    ByteBuffer.wrap(bytes).putLong(broadcast.id());
    Headers all = PlannedMessages.headers(bytes);
    PatternSource source =
        work.lent().lend(life, broadcast, new PatternSource(payloads, sent(broadcast)));
    Protection protection = work.protection(broadcast.id());
    work.keepSecret(payloads, broadcast.id(), sent(broadcast).bytes());
    work.drawn(broadcast.laterNs() == 0 ? "broadcast" : "broadcast in halves");
    List<PlannedDelivery> deliveries = broadcast.deliveries();
    if (broadcast.laterNs() == 0) {
      follow(
          node,
          transport.broadcast(
              BROADCAST, source, all, protection, destinations(transport, deliveries)),
          deliveries);
      return;
    }
    var _ =
        transport
            .seal(source, all, protection)
            .whenComplete(
                (payload, failure) -> {
                  if (payload == null) {
                    failAll(deliveries, failure);
                  } else {
                    sendInHalves(node, transport, broadcast, payload);
                  }
                });
  }

  private static PlannedCall sent(PlannedBroadcast broadcast) {
    PlannedCall any = broadcast.deliveries().getFirst().call();
    return new PlannedCall(
        any.id(),
        any.from(),
        any.to(),
        any.kind(),
        broadcast.sourceFails() ? Fate.SOURCE_FAILS : Fate.PLAIN,
        any.bytes(),
        0,
        any.headersBytes(),
        0,
        0);
  }

  private void failAll(List<PlannedDelivery> deliveries, @Nullable Throwable failure) {
    CallOutcome outcome = failure == null ? CallOutcome.PEER_FAULT : CallResults.outcome(failure);
    deliveries.forEach(delivery -> resolve(delivery, outcome, String.valueOf(failure)));
  }

  /** The payload is held between the halves, and stays the same. */
  private void sendInHalves(
      SimNode node, Transport transport, PlannedBroadcast broadcast, SealedPayload sealed) {
    List<PlannedDelivery> deliveries = broadcast.deliveries();
    int half = (deliveries.size() + 1) / 2;
    send(node, transport, sealed, deliveries.subList(0, half));
    node.system()
        .scheduler()
        .scheduleOnce(
            Duration.ofNanos(broadcast.laterNs()),
            () -> {
              send(node, transport, sealed, deliveries.subList(half, deliveries.size()));
              sealed.close();
            },
            node.system().executionContext());
  }

  private void send(
      SimNode node, Transport transport, SealedPayload sealed, List<PlannedDelivery> deliveries) {
    int before = sealed.refCount();
    Broadcast begun = transport.broadcast(BROADCAST, sealed, destinations(transport, deliveries));
    // A closing transport refuses deliveries at once, and holds no reference for refused
    // deliveries.
    long more =
        begun.deliveries().stream().filter(delivery -> !delivery.outcome().isDone()).count();
    if (sealed.refCount() != before + more) {
      run.fail("references", before + " held it, " + more + " more do: " + sealed.refCount());
    }
    follow(node, begun, deliveries);
  }

  private static List<Destination> destinations(
      Transport transport, List<PlannedDelivery> deliveries) {
    return deliveries.stream()
        .map(
            each ->
                new Destination(
                    transport.peer(SimCluster.handshakeAddress(each.call().to())),
                    each.call().priority(),
                    Duration.ofNanos(each.deadlineNs())))
        .toList();
  }

  private void follow(SimNode node, Broadcast begun, List<PlannedDelivery> deliveries) {
    for (int i = 0; i < deliveries.size(); i++) {
      PlannedDelivery planned = deliveries.get(i);
      Delivery delivery = begun.deliveries().get(i);
      // The timer is the actor system's, which does not follow a change of the clock's pace.
      long deadlineNs = planned.deadlineNs() - planned.deadlineNs() / TIMER_SHARE;
      work.deadlines().began(planned.historyId(), planned.call().from(), deadlineNs);
      var _ = delivery.outcome().thenAccept(ended -> onEnded(planned, ended));
      if (planned.cancelNs() > 0) {
        node.system()
            .scheduler()
            .scheduleOnce(
                Duration.ofNanos(planned.cancelNs()),
                delivery::cancel,
                node.system().executionContext());
      }
    }
  }

  private void onEnded(PlannedDelivery delivery, DeliveryOutcome ended) {
    if (ended.isDelivered() && ended.bytes() != delivery.call().bytes()) {
      run.fail("integrity", delivery + ": the receipt says " + ended.bytes() + " bytes");
    }
    resolve(delivery, ended.outcome(), ended.text());
  }

  private void resolve(PlannedDelivery delivery, CallOutcome outcome, String text) {
    run.history().resolved(delivery.historyId(), meaning(outcome), text);
    PlannedCall call = delivery.call();
    // Several broadcasts at a time may exceed the node's memory for broadcasts, without any fault.
    if (outcome != CallOutcome.SUBMISSION_FULL) {
      work.deserved().check(call.from(), call.to(), delivery, outcome);
    }
    work.deadlines().ended(delivery.historyId(), delivery, outcome, 0);
    work.drawn(outcome, "delivery");
    if (!ClusterWork.isPossible(isDenied(call.to()), outcome) || !isPossible(delivery, outcome)) {
      run.fail("impossible outcome", delivery + ": " + outcome + ": " + text);
    }
  }

  private boolean isDenied(int node) {
    return work.isDenied(node, BROADCAST, CallPattern.BULK_WRITE);
  }

  private static Outcome meaning(CallOutcome outcome) {
    return switch (outcome) {
      case OK -> Outcome.DONE;
      case PEER_UNRESPONSIVE,
          PEER_RESET,
          PEER_FAULT,
          CLOSED,
          NOT_AUTHENTIC,
          CANCELLED,
          EXPIRED,
          WORKER_STOPPED ->
          Outcome.INDETERMINATE;
      // A broken body must never have been completed.
      default -> Outcome.REJECTED;
    };
  }

  private boolean isPossible(PlannedDelivery delivery, CallOutcome outcome) {
    Fate fate = delivery.call().fate();
    PlannedBroadcast broadcast = plans.broadcast(delivery.call().id());
    boolean sourceFails = broadcast != null && broadcast.sourceFails();
    long heldBytes = settings.of(delivery.call().from()).transfers().heldForBroadcastsBytes();
    int headersBytes = PlannedMessages.encodedBytes(delivery.call().headersBytes());
    boolean isTooLarge = headersBytes + delivery.call().bytes() > heldBytes;
    return switch (outcome) {
      case OK -> !sourceFails && !isTooLarge && (fate == Fate.PLAIN || fate == Fate.CANCELLED);
      case REFUSED -> fate != Fate.PLAIN;
      case TARGET_FAILED -> fate == Fate.TARGET_FAILS || fate == Fate.CANCELLED;
      case SOURCE_FAILED -> sourceFails;
      case CANCELLED -> delivery.cancelNs() > 0;
      case EXPIRED -> delivery.deadlineNs() > 0;
      case PAYLOAD_TOO_LARGE -> isTooLarge;
      case UNKNOWN_ROUTE, HANDLER_FAILED, RESPONSE_TOO_LARGE, RESPONSE_DROPPED -> false;
      default -> true;
    };
  }

  /** Returns the payload bytes that living nodes hold for several peers. */
  long held() {
    long held = 0;
    for (int i = 0; i < run.nodes(); i++) {
      SimulatedServer life = work.life(i);
      held += life == null ? 0 : life.pool().bodies().broadcasts().usedBytes();
    }
    return held;
  }
}
