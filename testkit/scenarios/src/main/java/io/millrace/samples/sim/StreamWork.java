package io.millrace.samples.sim;

import io.millrace.access.CallPattern;
import io.millrace.api.Call;
import io.millrace.api.CallContext;
import io.millrace.api.Peer;
import io.millrace.api.Response;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.ends.FailureText;
import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.samples.sim.PlannedStream.Fate;
import io.millrace.samples.sim.PlannedStream.Kind;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Outcome;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.agrona.collections.Long2ObjectHashMap;
import org.apache.pekko.Done;
import org.apache.pekko.NotUsed;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.SystemMaterializer;
import org.apache.pekko.stream.UniqueKillSwitch;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;

/**
 * The planned streams of a run: opens the streams, serves the streams, and answers for their ends.
 */
final class StreamWork {
  static final Route<byte[], byte[]> RESPONSE = PlannedMessages.route("stream-response");
  static final Route<byte[], byte[]> REQUEST = PlannedMessages.route("stream-request");
  static final Route<byte[], byte[]> BIDIRECTIONAL = PlannedMessages.route("stream-both");
  private static final int ANSWER_HEADERS = 100;

  /**
   * The text of the failure of requests, and of the handler, for lack of room at the other side.
   */
  private static final String NO_ROOM = "millrace.streams.budget";

  private final SimRun run;
  private final ClusterWork work;
  private final StreamPlans plans;
  private final NodesSettings settings;
  private final Pattern requests;
  private final Pattern responses;
  private final Long2ObjectHashMap<Flows> flows = new Long2ObjectHashMap<>();

  private record Flows(PlannedFlow requests, PlannedFlow responses) {}

  /** Begins with no streams. */
  StreamWork(SimRun run, ClusterWork work, StreamPlans plans, NodesSettings settings) {
    this.run = run;
    this.work = work;
    this.plans = plans;
    this.settings = settings;
    requests = new Pattern(run.seed(), "bytes.stream.request");
    responses = new Pattern(run.seed(), "bytes.stream.response");
  }

  /** Serves the streams in the node's present life. */
  void serve(SimNode node) {
    SimulatedServer life = work.life(node.number());
    if (life != null) {
      Transport transport = life.transport();
      transport.serveStreamingResponse(
          RESPONSE, (request, context) -> onResponse(node, request, context));
      transport.serveStreamingRequest(
          REQUEST, (elements, context) -> onRequest(node, elements, context));
      transport.serveBidirectional(
          BIDIRECTIONAL, (elements, context) -> onBoth(node, elements, context));
    }
  }

  private Source<byte[], NotUsed> onResponse(SimNode node, byte[] request, CallContext context) {
    PlannedStream stream = begin(node, context);
    if (!requests.matches(stream.id(), 0, request, 0, request.length)
        || request.length != stream.mostBytes()) {
      fail("integrity", stream, "its request has " + request.length + " bytes, or others");
    }
    return flows(stream).responses().source();
  }

  private CompletionStage<byte[]> onRequest(
      SimNode node, Source<byte[], NotUsed> elements, CallContext context) {
    PlannedStream stream = begin(node, context);
    return take(node, stream, elements)
        .thenApply(done -> longBytes(stream.taken(/* isResponse= */ false)));
  }

  private Source<byte[], NotUsed> onBoth(
      SimNode node, Source<byte[], NotUsed> elements, CallContext context) {
    PlannedStream stream = begin(node, context);
    var _ = take(node, stream, elements);
    return flows(stream).responses().source();
  }

  private CompletionStage<Done> take(
      SimNode node, PlannedStream stream, Source<byte[], NotUsed> elements) {
    PlannedFlow flow = flows(stream).requests();
    return elements
        .via(flow.taking(node))
        .runWith(Sink.ignore(), materializer(node))
        .thenApply(
            done -> {
              flow.onWhole();
              return done;
            });
  }

  private PlannedStream begin(SimNode node, CallContext context) {
    byte[] headers = PlannedMessages.bytes(context.headers());
    long id = ByteBuffer.wrap(headers).getLong();
    PlannedStream stream = plans.stream(id);
    if (stream == null) {
      run.fail("no creation", "a node was asked for stream " + id);
      throw new IllegalStateException("no stream " + id);
    }
    if (isDenied(stream)) {
      fail(ClusterWork.DENIED, stream, "the server denies the stream, but received the stream");
    }
    boolean isRight =
        headers.length == plans.headersBytes(stream)
            && requests.matches(id, Long.BYTES, headers, Long.BYTES, headers.length - Long.BYTES)
            && context.priority() == stream.priority();
    run.history().executed(id, node.number(), isRight ? stream.digest() : ~stream.digest());
    if (stream.fate() == Fate.HANDLER_FAILS) {
      throw new IllegalStateException("fails on purpose");
    }
    context.answerHeaders(answerHeaders(stream));
    return stream;
  }

  private Flows flows(PlannedStream stream) {
    return flows.computeIfAbsent(
        stream.id(),
        id ->
            new Flows(
                new PlannedFlow(run, plans, stream, false, requests, window(stream.to())),
                new PlannedFlow(run, plans, stream, true, responses, window(stream.from()))));
  }

  /** Returns the number of elements that may be on their way to the taker. */
  private int window(int taker) {
    return settings.of(taker).streams().windowElements();
  }

  private Headers answerHeaders(PlannedStream stream) {
    return PlannedMessages.headers(responses.bytes(stream.id(), ANSWER_HEADERS));
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private static Materializer materializer(SimNode node) {
    return SystemMaterializer.get(node.system()).materializer();
  }

  /** Plans the streams of a run, with work that begins then and goes on for so long. */
  void plan(long fromNs, long spanNs) {
    Draws times = run.swarm().draws("stream.time");
    for (long i = 0; i < plans.count(); i++) {
      long id = StreamPlans.FIRST_ID + i;
      run.at(
          fromNs + times.below(id, 0, spanNs),
          plans.stream(id) + work.early().words(id),
          () -> open(id));
    }
  }

  private void open(long id) {
    PlannedStream stream = plans.stream(id);
    SimulatedServer life = stream == null ? null : work.life(stream.from());
    if (stream == null || life == null) {
      return;
    }
    run.history().sent(id, stream.from(), stream.to(), stream.digest());
    try {
      run.node(stream.from())
          .call(
              () -> {
                open(life.transport(), run.node(stream.from()), stream);
                return true;
              });
    } catch (Exception e) {
      run.fail("unexpected exception", stream + ": " + e, e);
    }
  }

  private void open(Transport transport, SimNode node, PlannedStream stream) {
    Peer peer = transport.peer(SimCluster.handshakeAddress(stream.to()));
    byte[] headers = requests.bytes(stream.id(), plans.headersBytes(stream));
    ByteBuffer.wrap(headers).putLong(stream.id());
    TransferOptions options =
        work.early()
            .options(
                stream.id(),
                TransferOptions.DEFAULTS
                    .withPriority(stream.priority())
                    .withHeaders(PlannedMessages.headers(headers)));
    work.deadlines().began(stream.id(), stream.from(), work.early().deadlineNs(stream.id()));
    work.drawn("stream " + stream.kind() + " " + stream.fate());
    Source<byte[], ?> asked = flows(stream).requests().source();
    switch (stream.kind()) {
      case RESPONSE -> {
        byte[] payload = requests.bytes(stream.id(), stream.mostBytes());
        collect(node, stream, peer.streamingResponseWithHeaders(RESPONSE, payload, options));
      }
      case REQUEST -> {
        Call<byte[]> answered =
            asked.runWith(peer.streamingRequest(REQUEST, options), materializer(node));
        var _ =
            answered
                .response()
                .whenComplete((response, failure) -> onTotal(stream, response, failure));
        work.early().cancelLater(node, stream.id(), () -> answered.cancel(true));
      }
      case BIDIRECTIONAL ->
          collect(
              node,
              stream,
              asked.viaMat(peer.bidirectionalWithHeaders(BIDIRECTIONAL, options), Keep.right()));
    }
  }

  private void collect(
      SimNode node, PlannedStream stream, Source<byte[], CompletionStage<Headers>> responded) {
    PlannedFlow flow = flows(stream).responses();
    Pair<Pair<CompletionStage<Headers>, UniqueKillSwitch>, CompletionStage<Done>> running =
        responded
            .viaMat(KillSwitches.single(), Keep.both())
            .via(flow.taking(node))
            .toMat(Sink.ignore(), Keep.both())
            .run(materializer(node));
    var _ = running.first().first().thenAccept(headers -> checkHeaders(stream, headers));
    UniqueKillSwitch stopping = running.first().second();
    work.early()
        .cancelLater(
            node,
            stream.id(),
            () -> stopping.abort(new CancellationException("its caller wants no more of it")));
    var _ =
        running
            .second()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    flow.onWhole();
                  }
                  resolve(stream, failure);
                });
  }

  private void onTotal(
      PlannedStream stream, @Nullable Response<byte[]> response, @Nullable Throwable failure) {
    if (response != null) {
      checkHeaders(stream, response.headers());
      long taken = ByteBuffer.wrap(response.value()).getLong();
      if (taken != stream.taken(/* isResponse= */ false)) {
        fail("integrity", stream, "the response says " + taken);
      }
    }
    resolve(stream, failure == null ? null : FailureText.cause(failure));
  }

  private void checkHeaders(PlannedStream stream, Headers headers) {
    if (!headers.equals(answerHeaders(stream))) {
      fail("integrity", stream, "the response has " + headers);
    }
  }

  private void resolve(PlannedStream stream, @Nullable Throwable failure) {
    CallOutcome outcome = failure == null ? CallOutcome.OK : CallResults.outcome(failure);
    work.drawn(outcome, "stream");
    run.history().resolved(stream.id(), meaning(outcome), String.valueOf(failure));
    work.deserved().check(stream.from(), stream.to(), stream, outcome);
    long stalledNs = stream.fate() == Fate.SLOW ? plans.slowNs(stream) : 0;
    work.deadlines().ended(stream.id(), stream, outcome, stalledNs);
    if (!work.early().explains(stream.id(), outcome)
        && !(ClusterWork.isPossible(isDenied(stream), outcome)
            && isPossible(stream, outcome, String.valueOf(failure)))) {
      fail("impossible outcome", stream, outcome + ": " + failure);
    }
  }

  private boolean isDenied(PlannedStream stream) {
    return switch (stream.kind()) {
      case RESPONSE -> work.isDenied(stream.to(), RESPONSE, CallPattern.STREAMING_RESPONSE);
      case REQUEST -> work.isDenied(stream.to(), REQUEST, CallPattern.STREAMING_REQUEST);
      case BIDIRECTIONAL -> work.isDenied(stream.to(), BIDIRECTIONAL, CallPattern.BIDIRECTIONAL);
    };
  }

  private static Outcome meaning(CallOutcome outcome) {
    return switch (outcome) {
      case OK -> Outcome.DONE;
      case UNKNOWN_ROUTE,
          NOT_AUTHORISED,
          OVERLOADED,
          SHUTTING_DOWN,
          HANDSHAKE_FAILED,
          PEER_UNREACHABLE,
          SUBMISSION_FULL ->
          Outcome.REJECTED;
      case HANDLER_FAILED -> Outcome.FAILED;
      default -> Outcome.INDETERMINATE;
    };
  }

  /**
   * Returns whether a stream may have this outcome at its caller at all, if the stream does not end
   * early.
   */
  private static boolean isPossible(PlannedStream stream, CallOutcome outcome, String text) {
    Fate fate = stream.fate();
    boolean handlerFails =
        fate == Fate.HANDLER_FAILS
            || fate == Fate.RESPONSES_FAIL
            || text.contains(NO_ROOM)
            || (stream.kind() == Kind.REQUEST && fate == Fate.REQUESTS_FAIL);
    return switch (outcome) {
      case OK -> !handlerFails;
      case HANDLER_FAILED -> handlerFails;
      // The handler fails by the failure of the requests, of which the caller knows.
      case SOURCE_FAILED -> stream.kind() == Kind.REQUEST && fate == Fate.REQUESTS_FAIL;
      case UNKNOWN_ROUTE,
          CANCELLED,
          EXPIRED,
          TARGET_FAILED,
          REFUSED,
          PAYLOAD_TOO_LARGE,
          RESPONSE_TOO_LARGE ->
          false;
      default -> true;
    };
  }

  /** Returns the number of streams still known to any living node. */
  long open() {
    long open = 0;
    for (int i = 0; i < run.nodes(); i++) {
      SimulatedServer life = work.life(i);
      if (life != null) {
        TransportPool pool = life.pool();
        for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
          PathCounters counters = pool.port(worker).counters();
          open += counters.streamsOpened - counters.streamsEnded;
        }
      }
    }
    return open;
  }

  private void fail(String rule, PlannedStream stream, String what) {
    run.fail(rule, stream + ": " + what);
  }
}
