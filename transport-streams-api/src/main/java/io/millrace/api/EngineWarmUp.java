package io.millrace.api;

import io.millrace.api.bulk.BulkSource;
import io.millrace.api.bulk.BulkTarget;
import io.millrace.config.TransportSettings;
import io.millrace.ends.AllSteps;
import io.millrace.engine.CompilerWatch;
import io.millrace.engine.NodeEnvironment;
import io.millrace.engine.TransportPool;
import io.millrace.engine.WarmUpSettings;
import io.millrace.node.CallerLoop;
import io.millrace.node.HangAction;
import io.millrace.node.WarmUpReport;
import io.millrace.wait.EndWait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code of a node until the compilers of the JVM are quiet: a node with a worker of its own
 * calls many small nodes over the loopback interface, in all patterns, with few transfers under way
 * and with many. The small nodes run on the thread of the warm-up. All these nodes are apart from
 * the warmed node, and are closed at the end. The time is the time of the process.
 */
final class EngineWarmUp {
  private static final int PEERS = 16;

  /** The first life takes the limit by this number. */
  private static final int FIRST_LIFE_PART = 4;

  /** The first round of each kind has its transfers by this number. */
  private static final int FIRST_ROUND_PART = 64;

  private static final long LONGEST_ROUND_NS = 1_000_000_000;
  private static final long PAUSE_NS = 20_000;
  private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(10);

  private static final int TINY_BYTES = 32;
  private static final int SMALL_BYTES = 1_024;
  private static final int LARGE_BYTES = 16_384;
  private static final int BULK_BYTES = 256 * 1_024;
  private static final int ELEMENTS = 64;
  private static final int URGENT = 0;

  private static final Route<ByteString, ByteString> ON_WORKER = Route.bytes("warm-up.worker");
  private static final Route<ByteString, ByteString> ON_EXECUTOR = Route.bytes("warm-up.executor");
  private static final Route<ByteString, ByteString> ELEMENT = Route.bytes("warm-up.elements");
  private static final Route<ByteString, ByteString> BULK = Route.bytes("warm-up.bulk");

  private static final ByteString TINY = bytes(TINY_BYTES);
  private static final ByteString SMALL = bytes(SMALL_BYTES);
  private static final ByteString LARGE = bytes(LARGE_BYTES);

  private final WarmUpSettings settings;
  private final long startNs = System.nanoTime();
  private final long limitNs;
  private final CompletableFuture<WarmUpReport> report = new CompletableFuture<>();
  private final Thread thread = new Thread(this::run, "millrace-warm-up");
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger();
  private final List<Transport> nodes = new ArrayList<>();
  private List<CallerLoop> loops = List.of();
  private List<Peer> peers = List.of();
  private volatile boolean isStopped;

  /** Begins a transfer; the ending runs once, at the end of the transfer, with its failure. */
  @FunctionalInterface
  private interface Beginning {
    void begin(Peer peer, Ending ending);
  }

  /** Hears of the end of a transfer. */
  @FunctionalInterface
  private interface Ending {
    void onEnd(@Nullable Throwable failure);
  }

  /**
   * Transfers of one kind.
   *
   * @param transfers transfers of a round
   * @param inFlight the most transfers under way
   */
  private record Kind(int transfers, int inFlight, Beginning beginning) {}

  private EngineWarmUp(WarmUpSettings settings, Duration limit) {
    this.settings = settings;
    limitNs = limit.toNanos();
    thread.setDaemon(true);
  }

  /** The newest warm-up of a node. Any thread. */
  static final class Latest {
    private final TransportPool pool;
    private final NodeEnvironment environment;
    private final AtomicReference<@Nullable EngineWarmUp> latest = new AtomicReference<>();

    Latest(TransportPool pool, NodeEnvironment environment) {
      this.pool = pool;
      this.environment = environment;
    }

    /** Begins a warm-up unless one is under way; the report of the warm-up under way. */
    CompletionStage<WarmUpReport> begin(Duration limit) {
      if (environment != NodeEnvironment.PROCESS) {
        return CompletableFuture.completedStage(WarmUpReport.NOTHING);
      }
      EngineWarmUp present = latest.get();
      while (present == null || present.report.isDone()) {
        EngineWarmUp next = new EngineWarmUp(settings(), limit);
        if (latest.compareAndSet(present, next)) {
          next.thread.start();
          present = next;
          break;
        }
        present = latest.get();
      }
      if (pool.isClosing()) {
        present.stop();
        throw new IllegalStateException("the transport was closed");
      }
      return present.report.minimalCompletionStage();
    }

    private WarmUpSettings settings() {
      return WarmUpSettings.of(
          pool.settings(), pool.driverName(), environment.newRandom("warm-up"));
    }

    /** Ends a warm-up under way; after the pool has begun to close. */
    void stop() {
      EngineWarmUp present = latest.get();
      if (present != null) {
        present.stop();
      }
    }
  }

  /** Ends the warm-up before its time, and waits for its end for some seconds at most. */
  private void stop() {
    isStopped = true;
    if (Thread.currentThread() == thread) {
      return; // a stage that depends on the report closes the transport
    }
    LockSupport.unpark(thread);
    // The end of the thread by then makes no difference to the caller.
    var _ = EndWait.await(thread, CLOSE_NS);
  }

  private void run() {
    boolean isQuiet = false;
    Throwable failure = null;
    try {
      live(!settings.isNodeBounded(), FIRST_LIFE_PART);
      isQuiet = live(settings.isNodeBounded(), 1);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    if (failure == null || isStopped) {
      Duration lasted = Duration.ofNanos(System.nanoTime() - startNs);
      report.complete(new WarmUpReport(lasted, ended.get(), isQuiet));
    } else {
      report.completeExceptionally(failure);
    }
  }

  /**
   * Starts the nodes, runs transfers, and closes the nodes. The compilers leave out code that has
   * never run, and give up a compiled method when it runs such code: so a first, short life runs
   * everything once, the end of nodes included, before much is compiled.
   *
   * @param part the life ends after the limit by this number
   * @return whether the compilers are quiet
   */
  private boolean live(boolean isBounded, int part) {
    try {
      start(isBounded);
      return runKinds(limitNs / part);
    } finally {
      closeAll();
      tasks.clear();
    }
  }

  private void closeAll() {
    List<Runnable> steps = new ArrayList<>();
    nodes.reversed().forEach(node -> steps.add(node::close));
    nodes.clear();
    AllSteps.run(steps.toArray(Runnable[]::new));
  }

  private boolean isOver() {
    return isStopped || System.nanoTime() - startNs >= limitNs;
  }

  /**
   * Starts the nodes.
   *
   * @param isBounded whether the calling node has a bandwidth; every other small node has one
   */
  private void start(boolean isBounded) {
    Transport caller = start(settings.threaded(isBounded), null);
    ActorSystem<?> system = caller.pool().system();
    for (int i = 0; i < PEERS && !isOver(); i++) {
      serve(start(settings.driven(i % 2 == 0), system));
    }
    List<Transport> served = nodes.subList(1, nodes.size());
    loops = served.stream().flatMap(node -> node.callerLoops().stream()).toList();
    peers = served.stream().map(node -> caller.peer(node.address())).toList();
  }

  private Transport start(TransportSettings chosen, @Nullable ActorSystem<?> system) {
    Transport.Builder builder =
        Transport.builder(chosen).unattended().onHungWorker(HangAction.NONE);
    if (system != null) {
      builder.system(system).executor(tasks::add, 1);
    }
    Transport node = builder.start();
    nodes.add(node);
    return node;
  }

  private static void serve(Transport node) {
    node.serveOnWorker(ON_WORKER, call -> call.reply(0, 2 * TINY_BYTES));
    node.serve(ON_EXECUTOR, CompletableFuture::completedFuture);
    node.serveStreamingResponse(
        ELEMENT,
        request ->
            Source.from(() -> IntStream.range(0, ELEMENTS).mapToObj(_ -> request).iterator()));
    node.serveBulkWrites(
        BULK, _ -> CompletableFuture.completedFuture(BulkTarget.into(new byte[BULK_BYTES])));
    node.serveBulkReads(
        BULK, _ -> CompletableFuture.completedFuture(BulkSource.of(new byte[BULK_BYTES])));
  }

  /** Bursts come first and between the other kinds: bursts matter most if the limit is short. */
  private List<Kind> kinds(ActorSystem<?> system) {
    TransferOptions urgent = TransferOptions.DEFAULTS.withPriority(URGENT);
    Kind burst = new Kind(4_096, 512, (peer, end) -> onWorker(peer, SMALL, end));
    return List.of(
        burst,
        new Kind(2_048, 2 * PEERS, (peer, end) -> onWorker(peer, SMALL, end)),
        burst,
        new Kind(256, 1, (peer, end) -> onWorker(peer, TINY, end)),
        new Kind(4_096, 4_096, (peer, end) -> onWorker(peer, TINY, end)),
        new Kind(
            1_024,
            256,
            (peer, end) -> ending(peer.unary(ON_EXECUTOR, SMALL, TransferOptions.DEFAULTS), end)),
        new Kind(256, PEERS, (peer, end) -> ending(peer.unary(ON_EXECUTOR, TINY, urgent), end)),
        burst,
        new Kind(256, 64, (peer, end) -> ending(peer.unary(ON_EXECUTOR, LARGE), end)),
        new Kind(
            PEERS,
            PEERS,
            (peer, end) ->
                ending(peer.streamingResponse(ELEMENT, SMALL).runWith(Sink.ignore(), system), end)),
        new Kind(
            PEERS,
            2,
            (peer, end) -> ending(peer.bulkWrite(BULK, BulkSource.of(new byte[BULK_BYTES])), end)),
        new Kind(
            PEERS,
            2,
            (peer, end) ->
                ending(peer.bulkRead(BULK, BulkTarget.into(new byte[BULK_BYTES])), end)));
  }

  private static void onWorker(Peer peer, ByteString request, Ending ending) {
    peer.unaryOnWorker(ON_WORKER, request, TransferOptions.DEFAULTS, new Completion(ending));
  }

  private static void ending(CompletionStage<?> stage, Ending ending) {
    var _ = stage.whenComplete((_, failure) -> ending.onEnd(failure));
  }

  /**
   * Runs rounds of all kinds until the compilers are quiet; false if the time was over first. The
   * first rounds are short, so that all kinds have run before a compiler takes the code of one kind
   * for all that there is.
   */
  private boolean runKinds(long endNs) {
    CompilerWatch compilers = new CompilerWatch(System.nanoTime());
    List<Kind> kinds = isOver() ? List.of() : kinds(nodes.getFirst().pool().system());
    for (int part = FIRST_ROUND_PART; !isOver(); part = Math.max(1, part / 2)) {
      for (Kind kind : kinds) {
        round(kind, Math.ceilDiv(kind.transfers(), part), endNs);
        long nowNs = System.nanoTime();
        if (part == 1 && compilers.isQuiet(nowNs)) {
          return true;
        }
        if (nowNs - startNs >= endNs) {
          return false;
        }
      }
    }
    return false;
  }

  /** A round that lacks an end for too long is left: its transfers end with the nodes. */
  private void round(Kind kind, int transfers, long endNs) {
    AtomicInteger over = new AtomicInteger();
    Ending ending =
        failure -> {
          if (failure == null) {
            ended.incrementAndGet();
          }
          over.incrementAndGet();
        };
    long roundNs = System.nanoTime();
    int begun = 0;
    while (over.get() < transfers && isWithin(roundNs, endNs)) {
      boolean isIdle = true;
      while (begun < transfers && begun - over.get() < kind.inFlight()) {
        kind.beginning().begin(peers.get(begun % peers.size()), ending);
        begun++;
        isIdle = false;
      }
      if (turn() == 0 && isIdle) {
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
  }

  private boolean isWithin(long roundNs, long endNs) {
    long nowNs = System.nanoTime();
    return !isStopped && nowNs - startNs < endNs && nowNs - roundNs < LONGEST_ROUND_NS;
  }

  /** Runs the small nodes and their tasks; returns how much was done. */
  private int turn() {
    int done = 0;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
      done++;
    }
    for (CallerLoop loop : loops) {
      done += loop.runTurn();
    }
    return done;
  }

  private static ByteString bytes(int length) {
    return ByteString.fromArrayUnsafe(new byte[length]);
  }

  private record Completion(Ending ending) implements WorkerCompletion {
    @Override
    public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
      ending.onEnd(null);
    }

    @Override
    public void onFailure(CallException failure) {
      ending.onEnd(failure);
    }
  }
}
