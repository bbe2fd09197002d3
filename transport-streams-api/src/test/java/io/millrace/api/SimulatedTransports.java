package io.millrace.api;

import io.millrace.testkit.internal.core.Simulation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server and a client under virtual time. Simulation thread. */
abstract class SimulatedTransports implements NodePair {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(100);

  private final Simulation simulation;

  SimulatedTransports(Simulation simulation) {
    this.simulation = simulation;
  }

  @Override
  public final <T> T await(CompletableFuture<T> future) throws Exception {
    awaitUntil(future::isDone);
    return future.get(0, TimeUnit.NANOSECONDS);
  }

  @Override
  public final boolean awaitUntil(BooleanSupplier condition) {
    return simulation.runUntil(condition, simulation.nowNs() + LIMIT_NS);
  }

  @Override
  public final void close() {
    client().close();
    server().close();
  }
}
