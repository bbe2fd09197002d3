package io.millrace.api;

import io.millrace.engine.TransportPool;
import io.millrace.nic.EndpointDescription;
import io.millrace.path.peer.PeerHandle;
import io.millrace.path.peer.PeerLink;
import io.millrace.worker.WorkerDescription;
import java.util.List;

/**
 * The configuration and counters of a transport at one moment.
 *
 * @param driver name of the driver
 * @param aead name of the cipher that seals packets
 * @param buffers the memory of outgoing payloads
 * @param workers the workers
 * @param peers the peers that the application holds, by address
 * @param handlerFaults the number of exceptions that handlers threw or completed with by mistake
 * @param refusedHandshakes handshakes of peers that this node refused, except during shutdown
 * @param causalitySlots open transfers for which other transfers may wait
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
   * The memory of sealed bytes, which wait for transmission and acknowledgement.
   *
   * @param totalBytes bytes taken from the system at the start of the node
   * @param usedBytes bytes of transfers under way
   * @param broadcastBytes bytes still held of payloads for several peers
   * @param allocations the number of allocations
   * @param recordsSealed records of 64 KiB at most, each counted once for any number of peers
   */
  public record Buffers(
      long totalBytes, long usedBytes, long broadcastBytes, long allocations, long recordsSealed) {}

  /**
   * The present route to a peer: worker, driver and NIC.
   *
   * @param address the peer's handshake address
   * @param worker the worker of the peer
   * @param driver the driver of packets to the peer; empty without a path to the peer
   * @param nic the NIC of packets to the peer; empty without a path to the peer
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
