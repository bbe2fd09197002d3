package io.millrace.samples.selftest;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.EndpointSettings;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/** Two endpoints that know each other; the calling thread gives turns to both. */
final class LoopPair implements AutoCloseable {
  private static final int BATCH = 64;

  final LoopSide near;
  final LoopSide far;

  private LoopPair(LoopSide near, LoopSide far) {
    this.near = near;
    this.far = far;
  }

  /** Opens both endpoints at any port of the address. */
  static LoopPair open(DriverProvider driver, InetSocketAddress bind) throws DriverException {
    EndpointSettings settings = EndpointSettings.defaults(bind);
    LoopSide near = new LoopSide(driver.open(settings), false);
    try {
      LoopSide far = new LoopSide(driver.open(settings), true);
      try {
        near.other = near.endpoint.resolve(far.endpoint.localAddress());
        far.other = far.endpoint.resolve(near.endpoint.localAddress());
        return new LoopPair(near, far);
      } catch (DriverException | RuntimeException e) {
        far.endpoint.close();
        throw e;
      }
    } catch (DriverException | RuntimeException e) {
      near.endpoint.close();
      throw e;
    }
  }

  void turn() {
    near.endpoint.poll(near, BATCH);
    far.endpoint.poll(far, BATCH);
  }

  /** Gives turns until {@code isDone}; returns false after the limit. */
  boolean turnUntil(BooleanSupplier isDone, long limitNs) {
    long startNs = System.nanoTime();
    while (!isDone.getAsBoolean()) {
      if (System.nanoTime() - startNs > limitNs) {
        return false;
      }
      turn();
    }
    return true;
  }

  @Override
  public void close() {
    near.endpoint.close();
    far.endpoint.close();
  }
}
