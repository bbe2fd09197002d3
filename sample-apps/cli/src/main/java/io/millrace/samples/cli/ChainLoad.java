package io.millrace.samples.cli;

import io.millrace.api.Call;
import io.millrace.api.Peer;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.samples.served.ServedChains;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.HdrHistogram.Histogram;
import org.apache.pekko.util.ByteString;

/**
 * Chains of calls to one peer; each call depends on the call before. A chain is sent in two ways:
 * all calls at once, or one by one, each after the answer before. The peer checks their order.
 */
final class ChainLoad {
  private final Transport transport;
  private final LoadPlan plan;
  private final Peer peer;
  private final TransferOptions options;
  private final Histogram pipelined = new Histogram(LoadWindow.DIGITS);
  private final Histogram awaited = new Histogram(LoadWindow.DIGITS);
  private long chain = ThreadLocalRandom.current().nextLong();

  ChainLoad(Transport transport, LoadPlan plan, Peer peer) {
    this.transport = transport;
    this.plan = plan;
    this.peer = peer;
    options = TransferOptions.DEFAULTS.withPriority(plan.priority());
  }

  /**
   * Runs chains of the two kinds in turn until the time is over or a chain has failed. After the
   * warm-up at least one chain of each kind runs.
   */
  ChainResult run(Progress progress, long fromNs) throws InterruptedException, ExecutionException {
    long countedNs = fromNs + plan.warmUpNs();
    long untilNs = countedNs + plan.durationNs();
    long nowNs = fromNs;
    while (nowNs - untilNs < 0 || awaited.getTotalCount() == 0) {
      boolean isCounted = nowNs - countedNs >= 0;
      for (boolean isPipelined : new boolean[] {true, false}) {
        ChainRun run = run(isPipelined);
        if (run.failed() > 0) {
          return result(run.failed(), run.firstFailure());
        }
        if (isCounted) {
          (isPipelined ? pipelined : awaited).recordValue(run.elapsedNs());
        }
      }
      nowNs = System.nanoTime();
      if (progress.isDue(nowNs)) {
        progress.show(Figures.count(awaited.getTotalCount()) + " chains each", nowNs);
      }
    }
    progress.clear();
    return result(0, "");
  }

  private ChainResult result(long failed, String firstFailure) {
    return new ChainResult(pipelined, awaited, failed, firstFailure, transport.snapshot());
  }

  /** Runs a chain to its end. */
  ChainRun run(boolean isPipelined) throws InterruptedException, ExecutionException {
    ChainRun run = new ChainRun(plan.elements(), System.nanoTime());
    chain++;
    if (isPipelined) {
      sendAll(run);
    } else {
      send(run, 0);
    }
    DemoRun.await(run.end(), run::ended, "no call of a chain was answered");
    return run;
  }

  private void sendAll(ChainRun run) {
    TransferOptions next = options.withToken();
    for (int number = 0; number < plan.elements(); number++) {
      int sent = number;
      Call<ByteString> call = call(number, next);
      next = options.after(call.token());
      var _ = call.whenComplete((answer, failure) -> run.onEnd(sent, answer, failure));
    }
  }

  /** Sends a call, and the next call after the answer. */
  private void send(ChainRun run, int number) {
    var _ =
        call(number, options)
            .whenComplete(
                (answer, failure) -> {
                  if (!run.onEnd(number, answer, failure)) {
                    run.onUnsent(plan.elements() - number - 1);
                  } else if (number + 1 < plan.elements()) {
                    send(run, number + 1);
                  }
                });
  }

  private Call<ByteString> call(int number, TransferOptions how) {
    int length = Math.toIntExact(plan.sizeBytes());
    return peer.unary(
        plan.route(), ServedChains.request(chain, number, plan.elements(), length), how);
  }
}
