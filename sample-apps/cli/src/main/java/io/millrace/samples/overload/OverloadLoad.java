package io.millrace.samples.overload;

import io.millrace.api.CallException;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.samples.overload.OverloadPlan.Bottleneck;
import io.millrace.testkit.sim.SimCluster;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Callers that begin calls at a steady rate, whatever the results of earlier calls, and one serving
 * node. On the simulation thread, in virtual time.
 */
public final class OverloadLoad {
  private static final Route<ByteString, ByteString> ROUTE = Route.bytes("overload");
  private static final int SERVER = 0;

  /** Time for handshakes ahead of the load, ns. */
  private static final long START_NS = 50_000_000;

  /** Bytes of a request where the handlers are the bottleneck. */
  private static final int SHORT_BYTES = 100;

  /** Bytes of a request where the NIC is the bottleneck. */
  private static final int LONG_BYTES = 1_000;

  /** Bytes of a datagram with a long request, with the headers of all layers, about. */
  private static final int LONG_ON_LINK_BYTES = 1_130;

  private static final ByteString ANSWER = ByteString.fromString("done");

  private final SimRun run;
  private final OverloadPlan plan;
  private final ByteString request;
  private final LevelCount[] counts;
  private final List<Caller> callers = new ArrayList<>();
  private int open;
  private int peakCalls;
  private @Nullable ExecutorService handlers;

  private OverloadLoad(SimRun run, OverloadPlan plan) {
    this.run = run;
    this.plan = plan;
    int bytes = plan.bottleneck() == Bottleneck.NIC ? LONG_BYTES : SHORT_BYTES;
    request = ByteString.fromArray(new byte[bytes]);
    counts = new LevelCount[plan.shares().length];
    for (int level = 0; level < counts.length; level++) {
      counts[level] = new LevelCount(level);
    }
  }

  /** Runs the load until the end of its measured time; the nodes stay up. */
  public static OverloadResult run(SimRun run, OverloadPlan plan) {
    OverloadLoad load = new OverloadLoad(run, plan);
    run.add(1, load::serve);
    for (int i = 0; i < plan.callers(); i++) {
      Caller caller = load.new Caller(run.seed() + i);
      load.callers.add(caller);
      run.add(1, caller::start);
    }
    run.runUntil(START_NS + plan.times().endNs());
    return load.result();
  }

  private TransportSettings settings(int node) {
    String rate = "";
    if (node != SERVER && plan.bottleneck() == Bottleneck.NIC) {
      long bits = (long) OverloadPlan.CAPACITY_PER_S * LONG_ON_LINK_BYTES * Byte.SIZE;
      rate = "millrace.nic.send-rate = " + bits / plan.callers() / 1_000 + " kbit/s\n";
    }
    return SimCluster.settings(node, TransportSettings.parse(rate + plan.settings()));
  }

  private void serve(SimNode node) {
    ExecutorService pool = node.environment().newExecutor(1);
    handlers = pool;
    Transport transport =
        Transport.builder(settings(node.number()))
            .environment(node.environment())
            .executor(pool, 1)
            .start();
    var _ = transport.serve(ROUTE, (ByteString body) -> answer(node));
  }

  /** Answers after the time of the service, in which the thread waits. */
  private CompletionStage<ByteString> answer(SimNode node) {
    if (plan.bottleneck() == Bottleneck.HANDLERS) {
      try {
        node.environment().await(new CompletableFuture<>(), OverloadPlan.SERVICE_NS);
      } catch (TimeoutException e) {
        return CompletableFuture.completedFuture(ANSWER);
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return CompletableFuture.completedFuture(ANSWER);
  }

  private boolean isMeasured() {
    long sinceNs = run.simulation().nowNs() - START_NS - plan.times().warmNs();
    return sinceNs >= 0 && sinceNs < plan.times().measuredNs();
  }

  private OverloadResult result() {
    var _ = Objects.requireNonNull(handlers).shutdownNow();
    List<OverloadResult.Level> levels = new ArrayList<>();
    for (LevelCount count : counts) {
      if (plan.shares()[count.priority()] > 0) {
        levels.add(count.result());
      }
    }
    return new OverloadResult(
        plan.factor(),
        plan.times().measuredNs(),
        levels,
        (long) peakCalls * request.size(),
        peakCalls);
  }

  /** A node that begins calls. */
  private final class Caller {
    private final SplittableRandom random;
    private @Nullable Peer server;
    private @Nullable SimNode node;

    private Caller(long seed) {
      random = new SplittableRandom(seed);
    }

    private void start(SimNode started) {
      node = started;
      Transport transport =
          Transport.builder(settings(started.number())).environment(started.environment()).start();
      server = transport.peer(SimCluster.handshakeAddress(SERVER));
      var _ = server.unary(ROUTE, ANSWER);
      run.simulation().at(START_NS + pauseNs(), this::next);
    }

    /** A pause drawn around the mean pause, so that callers do not begin at once. */
    private long pauseNs() {
      double meanNs = 1e9 / plan.callsPerCallerS();
      return (long) (meanNs * (0.5 + random.nextDouble()));
    }

    private void next() {
      long nowNs = run.simulation().nowNs();
      if (nowNs - START_NS >= plan.times().endNs()) {
        return;
      }
      run.simulation().at(nowNs + pauseNs(), this::next);
      LevelCount count = counts[plan.priority(random.nextInt(100))];
      try {
        Objects.requireNonNull(node).call(() -> begin(count, nowNs));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private boolean begin(LevelCount count, long nowNs) {
      if (isMeasured()) {
        count.onOffered();
      }
      open++;
      peakCalls = Math.max(peakCalls, open);
      TransferOptions options =
          TransferOptions.DEFAULTS
              .withPriority(count.priority())
              .withDeadline(Duration.ofNanos(plan.times().deadlineNs()));
      var _ =
          Objects.requireNonNull(server)
              .unary(ROUTE, request, options)
              .whenComplete((_, failure) -> onEnd(count, nowNs, failure));
      return true;
    }

    private void onEnd(LevelCount count, long begunNs, @Nullable Throwable failure) {
      open--;
      if (!isMeasured()) {
        return;
      }
      if (failure == null) {
        count.onCompleted(run.simulation().nowNs() - begunNs);
      } else if (unwrapped(failure) instanceof CallException failed) {
        count.onFailed(failed);
      } else {
        throw new IllegalStateException(failure);
      }
    }

    private static Throwable unwrapped(Throwable failure) {
      Throwable cause = failure.getCause();
      return failure instanceof CompletionException && cause != null ? cause : failure;
    }
  }
}
