package io.millrace.samples.sim;

import io.millrace.actor.body.BodySource;
import io.millrace.actor.body.BodyTarget;
import io.millrace.api.Transport;
import io.millrace.api.UnaryCall;
import io.millrace.api.UnaryResponse;
import io.millrace.api.WorkerCall;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.config.TransportSettings;
import io.millrace.crypto.Protection;
import io.millrace.samples.sim.PlannedCall.Fate;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.testkit.sim.node.SimNode;
import io.millrace.wire.Route;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;

/** One life of a node: a transport that serves the planned calls, and checks what it is given. */
final class SimulatedServer {
  static final Route UNARY = Route.of("unary");
  static final Route ON_WORKER = Route.of("on-worker");
  static final Route WRITE = Route.of("write");
  static final Route READ = Route.of("read");
  static final Route READ_UNSEALED = Route.of("read-unsealed");

  private final ClusterWork work;
  private final SimNode node;
  private final Patience patience;
  private final Transport transport;

  SimulatedServer(ClusterWork work, SimNode node, TransportSettings settings) {
    this.work = work;
    this.node = node;
    patience = new Patience(work.run(), node.life(), work.heard(), settings.recovery().silence());
    transport =
        Transport.builder(SimCluster.settings(node.number(), settings))
            .environment(node.environment())
            .events(patience)
            .start();
    transport.serve(UNARY, this::onUnary);
    transport.serveOnWorker(ON_WORKER, this::onWorker);
    transport.serveBulkWrites(WRITE, this::onWrite);
    transport.serveBulkReads(READ, this::onRead);
    transport.serveBulkReads(READ_UNSEALED, this::onRead, Protection.AUTHENTICATED);
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

  private CompletionStage<UnaryResponse> onUnary(UnaryCall request) {
    PlannedCall call = work.call(ByteBuffer.wrap(request.headers()).getLong());
    boolean isRight =
        request.payload().length == call.bytes()
            && work.headersAreRight(call, request.headers())
            && request.priority() == call.priority()
            && work.requests().matches(call.id(), 0, request.payload(), 0, call.bytes());
    work.onExecuted(call, node.number(), isRight);
    if (call.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("fails on purpose");
    }
    CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
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

  private UnaryResponse answer(PlannedCall call) {
    byte[] id = ByteBuffer.allocate(Long.BYTES).putLong(call.id()).array();
    return new UnaryResponse(id, work.answers().bytes(call.id(), call.answerBytes()));
  }

  private void onWorker(WorkerCall request) {
    byte[] headers = new byte[request.headersLength()];
    request.buffer().getBytes(request.headersOffset(), headers);
    byte[] payload = new byte[request.payloadLength()];
    request.buffer().getBytes(request.payloadOffset(), payload);
    PlannedCall call = work.call(ByteBuffer.wrap(headers).getLong());
    boolean isRight =
        payload.length == call.bytes()
            && work.headersAreRight(call, headers)
            && work.requests().matches(call.id(), 0, payload, 0, payload.length);
    work.onExecuted(call, node.number(), isRight);
    if (call.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("fails on purpose");
    }
    byte[] answer = work.answers().bytes(call.id(), call.answerBytes());
    MutableDirectBuffer into = request.reply(Long.BYTES, answer.length);
    into.putBytes(0, ByteBuffer.allocate(Long.BYTES).putLong(call.id()).array());
    into.putBytes(Long.BYTES, answer);
  }

  private CompletionStage<BodyTarget> onWrite(BulkOffer offer) {
    PlannedCall call = work.call(ByteBuffer.wrap(offer.headers()).getLong());
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
    PlannedCall call = work.call(ByteBuffer.wrap(offer.headers()).getLong());
    work.onExecuted(call, node.number(), isRight(call, offer));
    if (call.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("refuses on purpose");
    }
    PatternSource source = new PatternSource(work.requests(), call);
    return CompletableFuture.completedFuture(work.lent().lend(this, call, source));
  }
}
