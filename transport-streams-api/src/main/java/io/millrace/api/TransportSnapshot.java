package io.millrace.api;

import io.millrace.engine.TransportPool;
import io.millrace.nic.EndpointDescription;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.PeerLink;
import io.millrace.worker.WorkerDescription;
import java.util.List;

/**
 * What a transport is and has counted.
 *
 * @param driver name of the driver
 * @param aead name of what seals packets
 * @param buffers memory of what it sends
 * @param workers the workers
 * @param peers the peers that the application holds, by address
 * @param handlerFaults times that a handler threw, or completed with, what it should not
 * @param refusedHandshakes handshakes of others that this node refused, but for those that came
 *     while it was shutting down
 * @param causalitySlots transfers that others may wait for and that have not ended
 */
public record TransportSnapshot(
    String driver,
    String aead,
    Buffers buffers,
    List<WorkerSnapshot> workers,
    List<ReachedPeer> peers,
    long handlerFaults,
    long refusedHandshakes,
    int causalitySlots) {
  /**
   * Memory of sealed bytes that wait to be sent and acknowledged.
   *
   * @param totalBytes taken from the system when the node started
   * @param usedBytes of transfers under way
   * @param broadcastBytes of payloads for several peers, whatever part of them is still held
   * @param allocations how often memory was handed out
   * @param recordsSealed records of 64 KiB at most, each counted once however many peers it goes to
   */
  public record Buffers(
      long totalBytes, long usedBytes, long broadcastBytes, long allocations, long recordsSealed) {}

  /**
   * How a peer is reached at this moment.
   *
   * @param address its handshake address
   * @param worker the worker that it belongs to
   * @param driver the driver that packets to it leave by; empty if there is no path to it
   * @param nic the NIC that they leave by; empty if there is no path to it
   */
  public record ReachedPeer(String address, int worker, String driver, String nic) {
    static ReachedPeer of(PeerHandle peer, List<WorkerDescription> workers) {
      int worker = peer.port().worker();
      int endpoint = peer.link().endpoint();
      if (endpoint == PeerLink.NO_ENDPOINT) {
        return new ReachedPeer(peer.identity(), worker, "", "");
      }
      EndpointDescription used = workers.get(worker).endpoints().get(endpoint);
      return new ReachedPeer(peer.identity(), worker, used.driver(), used.nicName());
    }
  }

  static TransportSnapshot of(TransportPool pool, long handlerFaults) {
    return new TransportSnapshot(
        pool.driverName(),
        pool.aeadName(),
        new Buffers(
            pool.buffers().totalBytes(),
            pool.buffers().usedBytes(),
            pool.bodies().broadcasts().usedBytes(),
            pool.buffers().allocations(),
            pool.bodies().recordsSealed()),
        pool.workers().stream()
            .map(worker -> WorkerSnapshot.of(worker, pool.port(worker.worker())))
            .toList(),
        pool.peers().stream().map(peer -> ReachedPeer.of(peer, pool.workers())).toList(),
        handlerFaults,
        pool.refusedHandshakes(),
        pool.workers().stream()
            .mapToInt(worker -> pool.port(worker.worker()).causality().live())
            .sum());
  }
}
