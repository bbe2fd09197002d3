package io.millrace.samples.sim;

import io.millrace.api.CallContext;
import io.millrace.api.Route;
import io.millrace.api.ServeOptions;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCall;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.config.TransportSettings;
import io.millrace.engine.TransportPool;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.testkit.internal.node.FullNode;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.BodyTarget;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;

/** A life of a node: a transport that serves the planned calls, and checks the received calls. */
final class SimulatedServer {
  static final Route<byte[], byte[]> UNARY = PlannedMessages.route("unary");
  static final Route<byte[], byte[]> ON_WORKER = PlannedMessages.route("on-worker");
  static final Route<?, ?> WRITE = Route.bytes("write");
  static final Route<?, ?> READ = Route.bytes("read");
  static final Route<?, ?> READ_UNSEALED = Route.bytes("read-unsealed");

  private final ClusterWork work;
  private final SimNode node;
  private final Patience patience;
  private final Transport transport;
  private final TransportPool pool;

  SimulatedServer(ClusterWork work, SimNode node, TransportSettings settings) {
    this.work = work;
    this.node = node;
    NodeLife life = FullNode.of(node).life();
    patience =
        new Patience(
            work.run(),
            life,
            work.heard(),
            settings.recovery().silence(),
            change -> work.deserved().onHealth(node.number(), change));
    transport =
        Transport.builder(SimCluster.settings(node.number(), settings))
            .environment(node.environment())
            .events(patience)
            .start();
    pool = life.pools().getLast();
    transport.serve(UNARY, this::onUnary);
    transport.serveOnWorker(ON_WORKER, this::onWorker);
    transport.serveBulkWrites(WRITE, this::onWrite);
    transport.serveBulkReads(READ, this::onRead);
    transport.serveBulkReads(
        READ_UNSEALED,
        ServeOptions.DEFAULTS.withProtection(Protection.AUTHENTICATED),
        this::onRead);
  }

  int number() {
    return node.number();
  }

  Patience patience() {
    return patience;
  }

  Transport transport() {
    return transport;
  }

  /** Returns the parts of the transport; conditions checked after each event take no snapshot. */
  TransportPool pool() {
    return pool;
  }

  private CompletionStage<byte[]> onUnary(byte[] payload, CallContext context) {
    PlannedCall call = work.asked(PlannedMessages.id(context.headers()));
    boolean isRight =
        payload.length == call.bytes()
            && work.headersAreRight(call, context.headers())
            && context.priority() == call.priority()
            && work.requests().matches(call.id(), 0, payload, 0, call.bytes());
    work.onExecuted(call, node.number(), isRight);
    if (call.fate() == Fate.HANDLER_FAILS) {
      work.order().onAnswered(call, false);
      throw new IllegalStateException("fails on purpose");
    }
    context.answerHeaders(PlannedMessages.headers(call.id()));
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    if (call.fate() == Fate.SLOW) {
      node.system()
          .scheduler()
          .scheduleOnce(
              Duration.ofNanos(call.slowNs()),
              () -> answer.complete(answer(call)),
              node.system().executionContext());
    } else {
      work.callBack(this, call, () -> answer.complete(answer(call)));
    }
    return answer;
  }

  private byte[] answer(PlannedCall call) {
    work.order().onAnswered(call, true);
    return work.answers().bytes(call.id(), call.answerBytes());
  }

  private void onWorker(WorkerCall request) {
    byte[] block = new byte[request.headersLength()];
    request.buffer().getBytes(request.headersOffset(), block);
    Headers headers = Headers.decode(block);
    byte[] payload = new byte[request.payloadLength()];
    request.buffer().getBytes(request.payloadOffset(), payload);
    PlannedCall call = work.asked(PlannedMessages.id(headers));
    boolean isRight =
        payload.length == call.bytes()
            && work.headersAreRight(call, headers)
            && work.requests().matches(call.id(), 0, payload, 0, payload.length);
    work.onExecuted(call, node.number(), isRight);
    if (call.fate() == Fate.HANDLER_FAILS) {
      work.order().onAnswered(call, false);
      throw new IllegalStateException("fails on purpose");
    }
    byte[] answer = answer(call);
    byte[] answered = PlannedMessages.headers(call.id()).encode();
    MutableDirectBuffer into = request.reply(answered.length, answer.length);
    into.putBytes(0, answered);
    into.putBytes(answered.length, answer);
  }

  private CompletionStage<BodyTarget> onWrite(BulkOffer offer) {
    PlannedCall call = work.asked(PlannedMessages.id(offer.headers()));
    boolean isRight = isRight(call, offer);
    if (call.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("refuses on purpose");
    }
    PatternTarget target =
        new PatternTarget(
            work.requests(),
            call,
            what -> work.fail("integrity", call, what),
            () -> work.onExecuted(call, node.number(), isRight));
    return CompletableFuture.completedFuture(work.lent().lend(this, call, target));
  }

  private boolean isRight(PlannedCall call, BulkOffer offer) {
    return work.headersAreRight(call, offer.headers()) && offer.priority() == call.priority();
  }

  private CompletionStage<BodySource> onRead(BulkOffer offer) {
    PlannedCall call = work.asked(PlannedMessages.id(offer.headers()));
    work.onExecuted(call, node.number(), isRight(call, offer));
    if (call.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("refuses on purpose");
    }
    PatternSource source = new PatternSource(work.requests(), call);
    return CompletableFuture.completedFuture(work.lent().lend(this, call, source));
  }
}
