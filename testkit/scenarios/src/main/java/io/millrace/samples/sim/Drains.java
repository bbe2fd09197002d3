package io.millrace.samples.sim;

import io.millrace.api.Transport;
import io.millrace.node.DrainReport;
import io.millrace.testkit.sim.Draws;
import io.millrace.testkit.sim.SimNode;
import io.millrace.testkit.sim.SimRun;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Drains a part of the orderly stopped nodes first: for a moment, or until no transfers are left. A
 * drain ends in its time, whatever the peers do. Simulation thread only.
 */
final class Drains {
  private static final String RULE = "graceful stop";
  private static final long LONGEST_NS = 2_000_000_000L;
  private static final long LATE_NS = 1_000_000_000L;

  private final SimRun run;
  private final Draws draws;
  private int stops;

  Drains(SimRun run) {
    this.run = run;
    draws = run.swarm().draws("drain");
  }

  /** Drains the transport in half of the stops, and closes the transport. */
  void close(SimNode node, Transport transport) {
    drain(node, transport);
    long startNs = run.simulation().nowNs();
    transport.close();
    long nowNs = run.simulation().nowNs();
    long stoodStillNs = Math.max(0, Math.min(node.pausedUntilNs(), nowNs) - startNs);
    long tookNs = nowNs - startNs - stoodStillNs;
    if (node.isUp() && tookNs > Closing.CLOSES_WITHIN_NS) {
      run.fail(RULE, node.name() + " took " + tookNs + " ns to close");
    }
  }

  private void drain(SimNode node, Transport transport) {
    int stop = stops++;
    if (draws.below(stop, 0, 2) == 0) {
      return;
    }
    long limitNs = draws.below(stop, 1, LONGEST_NS);
    long untilNs = run.simulation().nowNs() + limitNs + LATE_NS;
    CompletableFuture<DrainReport> drained =
        transport.drain(Duration.ofNanos(limitNs)).toCompletableFuture();
    try {
      node.environment().await(drained, limitNs + LATE_NS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // A node that stands still, or is lost, has no time of its own.
      if (node.isUp() && node.pausedUntilNs() < untilNs) {
        run.fail(RULE, node.name() + " is not drained in its time: " + e);
      }
    }
  }
}
