package io.millrace.api;

import io.millrace.actor.pool.TransportPool;
import java.util.List;

/**
 * What a transport is and has counted.
 *
 * @param driver name of the driver
 * @param aead name of what seals packets
 * @param workers the workers
 */
public record TransportSnapshot(String driver, String aead, List<WorkerSnapshot> workers) {
  static TransportSnapshot of(TransportPool pool) {
    return new TransportSnapshot(
        pool.driverName(),
        pool.aeadName(),
        pool.workers().stream()
            .map(worker -> WorkerSnapshot.of(worker, pool.port(worker.worker()).counters()))
            .toList());
  }
}
