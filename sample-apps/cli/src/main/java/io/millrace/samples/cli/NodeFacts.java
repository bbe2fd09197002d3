package io.millrace.samples.cli;

import io.millrace.api.TransportSnapshot;
import io.millrace.api.WorkerSnapshot;
import io.millrace.api.WorkerSnapshot.Bodies;
import io.millrace.api.WorkerSnapshot.Packets;
import io.millrace.api.WorkerSnapshot.Records;
import io.millrace.api.WorkerSnapshot.Regions;
import io.millrace.api.WorkerSnapshot.Transfers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Reads a node's counters for reports. */
final class NodeFacts {
  private NodeFacts() {}

  /** Returns the sum of a counter over all workers. */
  static long sum(TransportSnapshot snapshot, ToLongFunction<WorkerSnapshot> counter) {
    return snapshot.workers().stream().mapToLong(counter).sum();
  }

  /** Returns the retransmitted bytes of body chunks of a worker. */
  static long chunkBytesRetransmitted(WorkerSnapshot worker) {
    return worker.bodies().records().chunkBytesRetransmitted();
  }

  /** For example {@code millrace-worker-0 on core 1}. */
  static String threads(TransportSnapshot snapshot) {
    List<String> threads = new ArrayList<>();
    for (WorkerSnapshot worker : snapshot.workers()) {
      String core = worker.core() < 0 ? " unpinned" : " on core " + worker.core();
      threads.add(worker.threadName() + core);
    }
    return String.join("; ", threads);
  }

  static Map<String, Object> report(TransportSnapshot snapshot) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("driver", snapshot.driver());
    report.put("aead", snapshot.aead());
    report.put("buffer_bytes", snapshot.buffers().totalBytes());
    report.put("buffer_bytes_used", snapshot.buffers().usedBytes());
    report.put("buffer_bytes_broadcast", snapshot.buffers().broadcastBytes());
    report.put("buffer_allocations", snapshot.buffers().allocations());
    report.put("records_sealed", snapshot.buffers().recordsSealed());
    report.put("peers", snapshot.peers().stream().map(NodeFacts::report).toList());
    report.put("workers", snapshot.workers().stream().map(NodeFacts::report).toList());
    return report;
  }

  private static Map<String, Object> report(TransportSnapshot.ReachedPeer peer) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("peer", peer.address());
    report.put("worker", peer.worker());
    report.put("driver", peer.driver());
    report.put("nic", peer.nic());
    return report;
  }

  private static Map<String, Object> report(WorkerSnapshot.Nic nic) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("nic", nic.nic());
    report.put("driver", nic.driver());
    report.put("bytes_sent", nic.bytesSent());
    report.put("bytes_received", nic.bytesReceived());
    return report;
  }

  private static Map<String, Object> report(WorkerSnapshot worker) {
    Transfers transfers = worker.transfers();
    Packets packets = worker.packets();
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("thread", worker.threadName());
    report.put("core", worker.core());
    report.put("turns", worker.iterations());
    report.put("parks", worker.parks());
    report.put("datagrams_sent", worker.network().datagramsSent());
    report.put("datagrams_received", worker.network().datagramsReceived());
    report.put("send_calls", worker.network().sendCalls());
    report.put("receive_calls", worker.network().receiveCalls());
    report.put("nics", worker.nics().stream().map(NodeFacts::report).toList());
    report.put("rail_moves", worker.recovery().railMoves());
    report.put("packets_sent", packets.sent());
    report.put("packets_received", packets.received());
    report.put("packets_lost", packets.lost());
    report.put("spurious_losses", worker.recovery().spuriousLosses());
    report.put("probe_timeouts", worker.recovery().probeTimeouts());
    report.put("persistent_congestions", worker.recovery().persistentCongestions());
    report.put("protocol_violations", worker.recovery().protocolViolations());
    report.put("peer_faults", worker.recovery().peerFaults());
    report.put("requests_sent", transfers.requestsSent());
    report.put("responses_received", transfers.responsesReceived());
    report.put("requests_served", transfers.requestsServed());
    report.put("calls_failed", transfers.callsFailed());
    report.put("frames_retransmitted", transfers.framesRetransmitted());
    report.put("duplicates_dropped", packets.duplicatesDropped());
    report.put("transfers_challenged", packets.challenges().made());
    report.put("challenges_confirmed", packets.challenges().confirmed());
    report.put("challenges_reset", packets.challenges().reset());
    report.put("authentication_failures", packets.authenticationFailures());
    report.put("datagrams_dropped", packets.datagramsDropped());
    bodies(report, worker.bodies());
    report.put("payload_bytes_sent", transfers.payloadBytesSent());
    report.put("payload_bytes_acknowledged", transfers.payloadBytesAcknowledged());
    report.put("of_driver", worker.network().ofDriver());
    return report;
  }

  private static void bodies(Map<String, Object> report, Bodies bodies) {
    Regions regions = bodies.regions();
    Records records = bodies.records();
    report.put("region_bytes_granted", regions.grantedBytes());
    report.put("region_bytes_outstanding", regions.outstandingBytes());
    report.put("region_bytes_outstanding_peak", regions.peakOutstandingBytes());
    report.put("tokens_granted", regions.tokensGranted());
    report.put("tokens_granted_ahead", regions.tokensGrantedAhead());
    report.put("tokens_revoked", regions.tokensRevoked());
    report.put("grants_exhausted", regions.grantsExhausted());
    report.put("writes_rejected", regions.writesRejected());
    report.put("chunks_stale", regions.chunksStale());
    report.put("notifications_repeated", regions.notificationsRepeated());
    report.put("body_bytes_received", records.bodyBytesReceived());
    report.put("chunk_bytes_retransmitted", records.chunkBytesRetransmitted());
    report.put("records_not_authentic", records.notAuthentic());
    report.put("records_repeated", records.repeated());
    report.put("bodies_sent", records.bodiesSent());
    report.put("notifications_sent", records.notificationsSent());
    report.put("fills_consumed", records.fillsConsumed());
    report.put("requests_ahead", records.requestsAhead());
    report.put("remote_writes_posted", bodies.remoteWrites().posted());
    report.put("remote_writes_failed", bodies.remoteWrites().failed());
    report.put("remote_write_stalls", bodies.remoteWrites().stalls());
  }
}
