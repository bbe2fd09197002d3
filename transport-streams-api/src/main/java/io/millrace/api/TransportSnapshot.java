package io.millrace.api;

import io.millrace.actor.pool.TransportPool;
import java.util.List;

/**
 * What a transport is and has counted.
 *
 * @param driver name of the driver
 * @param aead name of what seals packets
 * @param buffers memory of what it sends
 * @param workers the workers
 */
public record TransportSnapshot(
    String driver, String aead, Buffers buffers, List<WorkerSnapshot> workers) {
  /**
   * Memory of sealed bytes that wait to be sent and acknowledged.
   *
   * @param totalBytes taken from the system when the node started
   * @param usedBytes of transfers under way
   */
  public record Buffers(long totalBytes, long usedBytes) {}

  static TransportSnapshot of(TransportPool pool) {
    return new TransportSnapshot(
        pool.driverName(),
        pool.aeadName(),
        new Buffers(pool.buffers().totalBytes(), pool.buffers().usedBytes()),
        pool.workers().stream()
            .map(worker -> WorkerSnapshot.of(worker, pool.port(worker.worker()).counters()))
            .toList());
  }
}
