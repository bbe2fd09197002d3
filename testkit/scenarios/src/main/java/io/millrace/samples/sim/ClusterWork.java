package io.millrace.samples.sim;

import io.millrace.access.CallPattern;
import io.millrace.access.RouteUse;
import io.millrace.api.Call;
import io.millrace.api.Peer;
import io.millrace.api.Response;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.bulk.BulkReceipt;
import io.millrace.ends.FailureText;
import io.millrace.samples.sim.PlannedCall.Kind;
import io.millrace.samples.sim.access.PlannedAccess;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.internal.scenario.FullRun;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.Outcome;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Headers;
import io.millrace.transfer.Protection;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The planned calls of a run: makes the calls, answers for their ends, and checks the answers. */
final class ClusterWork {
  private static final int UNSEALED_ONE_IN = 3;

  /** The rule of denied transfers. */
  static final String DENIED = "nothing denied is done";

  private final SimRun run;
  private final CallPlans plans;
  private final DeservedFailures deserved;
  private final EarlyEnds early;
  private final Deadlines deadlines;
  private final Drains drains;
  private final LentMemory lent;
  private final HeardPaths heard;
  private final NodesSettings settings;
  private final boolean retriesBlindly;
  private final PlannedOrder order;
  private final Long2LongHashMap madeNs = new Long2LongHashMap(-1);
  private final Pattern requests;
  private final Pattern answers;
  private final Pattern headers;
  private final Draws protections;
  private final SecretPayloads secrets;
  private final Int2ObjectHashMap<SimulatedServer> lives = new Int2ObjectHashMap<>();
  private final Long2ObjectHashMap<Consumer<Outcome>> ends = new Long2ObjectHashMap<>();

  /**
   * Begins with no calls.
   *
   * @param early the calls that end early
   * @param retriesBlindly an application with a fault: repeats a call that may have been executed
   */
  ClusterWork(
      SimRun run,
      CallPlans plans,
      NodesSettings settings,
      DeservedFailures deserved,
      EarlyEnds early,
      boolean retriesBlindly) {
    this.run = run;
    this.deserved = deserved;
    this.early = early;
    deadlines = new Deadlines(run, settings);
    drains = new Drains(run);
    lent = new LentMemory(run);
    heard = HeardPaths.in(run);
    run.addStrictRules();
    this.retriesBlindly = retriesBlindly;
    // A repeated call has two tokens.
    order = new PlannedOrder(run, retriesBlindly);
    this.plans = plans;
    this.settings = settings;
    requests = new Pattern(run.seed(), "bytes.request");
    answers = new Pattern(run.seed(), "bytes.answer");
    headers = new Pattern(run.seed(), "bytes.headers");
    protections = run.swarm().draws("protection");
    secrets = SecretPayloads.in(run);
    run.onCrash(lives::remove);
  }

  /** Starts the program of each node. */
  void start(SimNode node) {
    lives.remove(node.number());
    deserved.onStarted(node.number());
    lives.put(node.number(), new SimulatedServer(this, node, settings.of(node.number())));
  }

  /** Closes the node's transport; the node makes no planned calls from now on. */
  void stop(SimNode node) {
    SimulatedServer life = lives.remove(node.number());
    if (life != null) {
      deserved.onStopped(node.number());
      drains.close(node, life.transport());
    }
  }

  /** Returns the node's present life, or null without a transport. */
  @Nullable SimulatedServer life(int node) {
    return lives.get(node);
  }

  SimRun run() {
    return run;
  }

  PlannedOrder order() {
    return order;
  }

  NodesSettings settings() {
    return settings;
  }

  DeservedFailures deserved() {
    return deserved;
  }

  EarlyEnds early() {
    return early;
  }

  Deadlines deadlines() {
    return deadlines;
  }

  HeardPaths heard() {
    return heard;
  }

  LentMemory lent() {
    return lent;
  }

  CallPlans plans() {
    return plans;
  }

  Pattern requests() {
    return requests;
  }

  Pattern answers() {
    return answers;
  }

  /** Returns the call of this id, for a node that received it. */
  PlannedCall call(long id) {
    PlannedCall call = plans.call(id);
    if (call == null) {
      run.fail("no creation", "a node was asked for call " + id);
      throw new IllegalStateException("no call " + id);
    }
    // A denied route cannot tell whether a node reaches another node.
    return CallPlans.isProbe(id) && isDenied(call) ? call.asUnary() : call;
  }

  /**
   * Returns the call that a handler or an acceptor received; rule X-2: a denied call never gets
   * there.
   */
  PlannedCall asked(long id) {
    PlannedCall call = call(id);
    if (isDenied(call)) {
      fail(DENIED, call, "the server denies the call, but received the call");
    }
    return call;
  }

  private boolean isDenied(PlannedCall call) {
    return switch (call.kind()) {
      case UNARY -> isDenied(call.to(), SimulatedServer.UNARY, CallPattern.UNARY);
      case ON_WORKER -> isDenied(call.to(), SimulatedServer.ON_WORKER, CallPattern.UNARY);
      case WRITE -> isDenied(call.to(), SimulatedServer.WRITE, CallPattern.BULK_WRITE);
      case READ -> isDenied(call.to(), readRoute(protection(call.id())), CallPattern.BULK_READ);
    };
  }

  private static Route<?, ?> readRoute(Protection protection) {
    return protection == Protection.SEALED ? SimulatedServer.READ : SimulatedServer.READ_UNSEALED;
  }

  /** Returns whether a node denies the use of a route to all others. */
  boolean isDenied(int node, Route<?, ?> route, CallPattern pattern) {
    return PlannedAccess.isDenied(settings.of(node), new RouteUse(route.name(), pattern));
  }

  void onExecuted(PlannedCall call, int node, boolean isRight) {
    order.onExecuted(call);
    run.history().executed(call.id(), node, isRight ? call.digest() : ~call.digest());
  }

  void fail(String rule, PlannedCall call, String what) {
    run.fail(rule, call + ": " + what);
  }

  /** Makes a call if its node is up. */
  void make(PlannedCall call) {
    make(call, outcome -> {});
  }

  /** Makes a call if its node is up, and tells the outcome. */
  void make(PlannedCall call, Consumer<Outcome> told) {
    SimulatedServer life = life(call.from());
    if (life == null) {
      return;
    }
    begin(call, told);
    try {
      run.node(call.from())
          .call(
              () -> {
                submit(life, call);
                return true;
              });
    } catch (Exception e) {
      run.fail("unexpected exception", call + ": " + e, e);
    }
  }

  private void begin(PlannedCall call, Consumer<Outcome> told) {
    ends.put(call.id(), told);
    run.history().sent(call.id(), call.from(), call.to(), call.digest());
    keepSecret(requests, call.id(), call.bytes());
    secrets.add(answers, call.id(), call.answerBytes());
  }

  /**
   * Performs the handler's own call before the answer, on the handler's thread: calls a node, or
   * nobody.
   *
   * @param life the life of the handler's node
   * @param then runs at the end of the handler's own call, whatever its outcome; at once without
   *     such a call
   */
  void callBack(SimulatedServer life, PlannedCall call, Runnable then) {
    PlannedCall callback = plans.callback(call);
    if (callback == null || life(callback.from()) != life) {
      then.run();
      return;
    }
    FullRun.of(run).coverage().hit(Mark.HANDLER_CALLED);
    begin(callback, outcome -> then.run());
    submit(life, callback);
  }

  private void submit(SimulatedServer life, PlannedCall call) {
    Peer peer = life.transport().peer(SimCluster.handshakeAddress(call.to()));
    TransferOptions options =
        early.options(
            call.id(),
            TransferOptions.DEFAULTS
                .withPriority(call.priority())
                .withHeaders(headers(call))
                .withProtection(protection(call.id()))
                .withExpectedResponseBytes(expectedBytes(call)));
    drawn(call.kind() + " " + call.fate());
    deadlines.began(call.id(), call.from(), early.deadlineNs(call.id()));
    madeNs.put(call.id(), run.simulation().nowNs());
    CompletableFuture<?> ended = submit(life, peer, call, order.options(life, call, options));
    early.cancelLater(run.node(call.from()), call.id(), () -> ended.cancel(true));
  }

  /**
   * Returns the caller's expectation of the response's size: mostly 0, else the true size, or too
   * much.
   */
  private static long expectedBytes(PlannedCall call) {
    return switch ((int) (call.id() & 7)) {
      case 1, 2 -> call.answerBytes();
      case 3 -> 2L * call.answerBytes() + (1 << 20);
      default -> 0;
    };
  }

  private CompletableFuture<?> submit(
      SimulatedServer life, Peer peer, PlannedCall call, TransferOptions options) {
    return switch (call.kind()) {
      case UNARY, ON_WORKER -> {
        byte[] payload = requests.bytes(call.id(), call.bytes());
        Route<byte[], byte[]> route =
            call.kind() == Kind.UNARY ? SimulatedServer.UNARY : SimulatedServer.ON_WORKER;
        Call<byte[]> answered = peer.unary(route, payload, options);
        var _ =
            answered.response().whenComplete((answer, failure) -> onAnswer(call, answer, failure));
        yield answered;
      }
      case WRITE -> {
        PatternSource source = lent.lend(life, call, new PatternSource(requests, call));
        CompletableFuture<BulkReceipt> written =
            peer.bulkWrite(SimulatedServer.WRITE, source, options);
        var _ = written.whenComplete((receipt, failure) -> onReceipt(call, receipt, failure));
        yield written;
      }
      case READ -> read(life, peer, call, options);
    };
  }

  private CompletableFuture<BulkReceipt> read(
      SimulatedServer life, Peer peer, PlannedCall call, TransferOptions options) {
    PatternTarget target =
        new PatternTarget(requests, call, what -> fail("integrity", call, what), () -> {});
    lent.lend(life, call, target);
    CompletableFuture<BulkReceipt> read =
        peer.bulkRead(readRoute(options.protection()), target, options);
    var _ =
        read.whenComplete(
            (receipt, failure) -> {
              onReceipt(call, receipt, failure);
              // A caller that gives a call up does not wait for the end of its target.
              boolean isWhole = target.end() == PatternTarget.End.COMPLETE;
              if (!read.isCancelled()
                  && (isWhole != (failure == null) || target.end() == PatternTarget.End.OPEN)) {
                fail("truth", call, "its target is " + target.end() + ", it ended with " + failure);
              }
            });
    return read;
  }

  /** Returns the protection of a call's or broadcast's payload, the same on every question. */
  Protection protection(long id) {
    return protections.below(id, 0, UNSEALED_ONE_IN) == 0
        ? Protection.AUTHENTICATED
        : Protection.SEALED;
  }

  /**
   * Notes a payload that must not be readable on its way, unless the payload need not be secret.
   */
  void keepSecret(Pattern pattern, long id, long bytes) {
    if (protection(id) == Protection.SEALED) {
      secrets.add(pattern, id, bytes);
    }
  }

  /** Notes that a transfer of this pattern is begun. */
  void drawn(String pattern) {
    String name = pattern.toLowerCase(Locale.ROOT).replace('_', '-');
    FullRun.of(run).coverage().drawn().pattern(name);
  }

  /** Notes that a transfer of this kind has ended with this outcome. */
  void drawn(CallOutcome outcome, String kind) {
    if (outcome == CallOutcome.NOT_AUTHORISED) {
      drawn(kind + " denied");
    }
  }

  /** Returns whether these are the call's headers, which begin with its id. */
  boolean headersAreRight(PlannedCall call, Headers given) {
    byte[] bytes = PlannedMessages.bytes(given);
    int rest = bytes.length - Long.BYTES;
    return bytes.length == call.headersBytes()
        && headers.matches(call.id(), Long.BYTES, bytes, Long.BYTES, rest);
  }

  private Headers headers(PlannedCall call) {
    byte[] bytes = headers.bytes(call.id(), call.headersBytes());
    ByteBuffer.wrap(bytes).putLong(call.id());
    return PlannedMessages.headers(bytes);
  }

  private void onAnswer(
      PlannedCall call, @Nullable Response<byte[]> answer, @Nullable Throwable failure) {
    if (answer != null) {
      byte[] payload = answer.value();
      boolean isRight =
          payload.length == call.answerBytes()
              && answer.headers().equals(PlannedMessages.headers(call.id()))
              && answers.matches(call.id(), 0, payload, 0, call.answerBytes());
      if (!isRight) {
        fail("integrity", call, "the answer has " + payload.length + " bytes, or others");
      }
    }
    resolve(call, failure == null ? null : FailureText.cause(failure));
  }

  private void onReceipt(
      PlannedCall call, @Nullable BulkReceipt receipt, @Nullable Throwable failure) {
    if (receipt != null && receipt.bytes() != call.bytes()) {
      fail("integrity", call, "the receipt says " + receipt.bytes() + " bytes");
    }
    resolve(call, failure);
  }

  private void resolve(PlannedCall call, @Nullable Throwable failure) {
    long callMadeNs = madeNs.remove(call.id());
    CallOutcome outcome = failure == null ? CallOutcome.OK : CallResults.outcome(failure);
    drawn(outcome, "call");
    Outcome meaning = CallResults.meaning(call, outcome);
    SimulatedServer life = life(call.from());
    if (retriesBlindly && meaning == Outcome.INDETERMINATE && life != null) {
      submit(life, call);
      return;
    }
    order.onEnded(call, outcome);
    run.history().resolved(call.id(), meaning, String.valueOf(failure));
    Consumer<Outcome> told = ends.remove(call.id());
    if (told != null) {
      told.accept(meaning);
    }
    deserved.check(call.from(), call.to(), call, outcome);
    deadlines.ended(call.id(), call, outcome, 0);
    if (outcome == CallOutcome.PEER_UNRESPONSIVE && life != null) {
      life.patience().onUnresponsive(SimCluster.handshakeAddress(call.to()), callMadeNs);
    }
    if (!early.explains(call.id(), outcome)
        && !order.explains(call, outcome)
        && !isPossible(call, outcome)) {
      fail("impossible outcome", call, outcome + ": " + failure);
    }
  }

  /** Rule X-2: a denied transfer never has an outcome that needs a handler. */
  static boolean isPossible(boolean isDenied, CallOutcome outcome) {
    return switch (outcome) {
      case OK, HANDLER_FAILED, RESPONSE_TOO_LARGE, RESPONSE_DROPPED -> !isDenied;
      case NOT_AUTHORISED -> isDenied;
      default -> true;
    };
  }

  private boolean isPossible(PlannedCall call, CallOutcome outcome) {
    int mostBytes =
        Math.min(
            settings.of(call.from()).transfers().messageBytes(),
            settings.of(call.to()).transfers().messageBytes());
    return isPossible(isDenied(call), outcome) && CallResults.isPossible(call, outcome, mostBytes);
  }
}
