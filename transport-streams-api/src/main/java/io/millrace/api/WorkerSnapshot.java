package io.millrace.api;

import io.millrace.driver.EndpointAddress;
import io.millrace.driver.EndpointCounters;
import io.millrace.ends.PathCounters;
import io.millrace.nic.EndpointDescription;
import io.millrace.path.peer.SubmissionPort;
import io.millrace.path.region.WorkerRegions;
import io.millrace.worker.WorkerDescription;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The configuration and counters of one worker at one moment.
 *
 * @param worker the worker's id
 * @param threadName the name of the worker's thread
 * @param core the CPU of the pinned worker, or -1
 * @param address the address of the worker's endpoint
 * @param iterations turns of the worker's loop
 * @param parks the number of times the loop parked
 * @param network the counters of all endpoints together
 * @param nics the counters of each endpoint, first of the worker's own NIC
 * @param transfers the paths' counters of transfers
 * @param packets the paths' counters of packets
 * @param recovery the paths' counters of losses and of recovery
 * @param bodies the paths' counters of bodies, and the contents of the regions
 */
@SuppressWarnings("RecordComponentNumber") // five components are groups of counters already
public record WorkerSnapshot(
    int worker,
    String threadName,
    int core,
    EndpointAddress address,
    long iterations,
    long parks,
    Network network,
    List<Nic> nics,
    Transfers transfers,
    Packets packets,
    Recovery recovery,
    Bodies bodies) {
  /**
   * The counters of endpoints.
   *
   * @param datagramsSent datagrams handed to the network
   * @param datagramsReceived datagrams that came
   * @param bytesSent bytes of the sent datagrams
   * @param bytesReceived bytes of the received datagrams
   * @param sendCalls system calls that sent datagrams
   * @param receiveCalls system calls that received datagrams
   * @param receiveQueueDrops datagrams dropped by the system because the worker was too slow, if
   *     the system tells the driver
   * @param sendFailures datagrams refused by the network or dropped by the send queue
   * @param oversizedDrops received datagrams longer than the settings allow
   * @param ofDriver further counters of this driver, by name
   */
  public record Network(
      long datagramsSent,
      long datagramsReceived,
      long bytesSent,
      long bytesReceived,
      long sendCalls,
      long receiveCalls,
      long receiveQueueDrops,
      long sendFailures,
      long oversizedDrops,
      Map<String, Long> ofDriver) {}

  /**
   * The traffic of one endpoint of the worker.
   *
   * @param nic the name of the endpoint's NIC
   * @param driver the name of the endpoint's driver
   * @param address the address of the endpoint for peers
   * @param bytesSent bytes of datagrams handed to the network
   * @param bytesReceived bytes of received datagrams
   * @param datagramsSent the number of datagrams handed to the network
   * @param datagramsReceived the number of received datagrams
   */
  public record Nic(
      String nic,
      String driver,
      EndpointAddress address,
      long bytesSent,
      long bytesReceived,
      long datagramsSent,
      long datagramsReceived) {}

  /**
   * The paths' counters of transfers.
   *
   * @param requestsSent requests of this node
   * @param responsesReceived responses to these requests
   * @param requestsServed requests of peers
   * @param callsFailed calls of this node that failed
   * @param framesRetransmitted retransmitted frames; chunks of bodies are no frames, see {@link
   *     Records#chunkBytesRetransmitted}
   * @param payloadBytesSent bytes of headers and payload sent, with retransmissions
   * @param payloadBytesAcknowledged the sent bytes that arrived at peers, each byte counted once
   * @param payloadBytesDelivered bytes of headers and payload on their first arrival
   * @param streamsOpened streams begun by either side
   * @param streamsEnded streams ended, with all state released
   */
  public record Transfers(
      long requestsSent,
      long responsesReceived,
      long requestsServed,
      long callsFailed,
      long framesRetransmitted,
      long payloadBytesSent,
      long payloadBytesAcknowledged,
      long payloadBytesDelivered,
      long streamsOpened,
      long streamsEnded) {}

  /**
   * The paths' counters of packets.
   *
   * @param sent packets sealed and posted
   * @param received packets opened
   * @param withProgress packets whose acknowledgement advanced a transfer
   * @param lost packets declared lost
   * @param duplicatesDropped packets received before
   * @param authenticationFailures packets with a wrong tag
   * @param unknownKeys packets under a key no longer or not yet accepted
   * @param datagramsDropped datagrams dropped for any reason
   * @param retirements control keys, and datagrams that tell peers about retired keys
   * @param challenges the counters of late packets, which may be replays
   */
  public record Packets(
      long sent,
      long received,
      long withProgress,
      long lost,
      long duplicatesDropped,
      long authenticationFailures,
      long unknownKeys,
      long datagramsDropped,
      Retirements retirements,
      Challenges challenges) {}

  /**
   * The counters of control keys, and of datagrams that tell peers about retired keys.
   *
   * @param sent datagrams sent to peers
   * @param received datagrams received from peers
   * @param keysDerived control keys derived for sealing and opening packets: a few for each path,
   *     none for a transfer
   */
  public record Retirements(long sent, long received, long keysDerived) {}

  /**
   * The paths' counters of packets too late for the replay check, and of the transfers that such
   * packets would open.
   *
   * @param packetsOpened late packets opened to find the transfers that the packets would open
   * @param made transfers of peers about which this node asked the initiator
   * @param confirmed transfers that the initiator confirmed as its own
   * @param reset transfers that the initiator denied, or no longer has: replays
   * @param answered transfers of this node that peers asked about
   */
  public record Challenges(
      long packetsOpened, long made, long confirmed, long reset, long answered) {}

  /**
   * The paths' counters of lost packets, and of faults of peers.
   *
   * @param spuriousLosses packets declared lost but acknowledged later
   * @param probeTimeouts the number of probes that paths sent because no acknowledgement came
   * @param persistentCongestions the number of times that a long period of losses reduced a
   *     congestion window to its minimum
   * @param protocolViolations paths closed because the peer broke the protocol
   * @param peerFaults paths that failed by an exception in this node's own code
   * @param railMoves the number of times a path moved to another NIC or driver
   */
  public record Recovery(
      long spuriousLosses,
      long probeTimeouts,
      long persistentCongestions,
      long protocolViolations,
      long peerFaults,
      long railMoves) {}

  /**
   * The counters of bodies, the payloads larger than a frame.
   *
   * @param regions the receive memory, into which peers write
   * @param records the records written by peers and to peers
   * @param remoteWrites writes by the NIC into peers' memory
   */
  public record Bodies(Regions regions, Records records, RemoteWrites remoteWrites) {}

  /**
   * The counters of one-sided writes into the memory of peers.
   *
   * @param posted writes handed to the driver
   * @param failed writes that ended with an error
   * @param stalls the number of times the driver had no room for a write
   */
  public record RemoteWrites(long posted, long failed, long stalls) {}

  /**
   * The receive memory, into which peers write, and the counters of the peers' writes.
   *
   * @param grantedBytes bytes of the regions that peers hold now
   * @param outstandingBytes bytes that peers may write now and that have not arrived
   * @param peakOutstandingBytes the most bytes ever outstanding; within the grant budget
   * @param tokensGranted tokens and authorisations given to peers
   * @param tokensGrantedAhead granted tokens ahead of a need
   * @param tokensRevoked tokens taken back
   * @param grantsExhausted the number of answers to peers that no memory can be granted
   * @param writesRejected chunks and notifications without a right to the addressed memory
   * @param chunksStale chunks of fills already consumed
   * @param notificationsRepeated notifications received before
   */
  public record Regions(
      long grantedBytes,
      long outstandingBytes,
      long peakOutstandingBytes,
      long tokensGranted,
      long tokensGrantedAhead,
      long tokensRevoked,
      long grantsExhausted,
      long writesRejected,
      long chunksStale,
      long notificationsRepeated) {}

  /**
   * The counters of bodies.
   *
   * @param notAuthentic records received with a wrong tag
   * @param repeated records written again because the peer found a wrong tag
   * @param chunkBytesRetransmitted bytes of retransmitted chunks
   * @param bodyBytesReceived bytes that arrived in regions for the first time
   * @param bodiesSent bodies that peers have received completely
   * @param notificationsSent notifications to peers about writes
   * @param fillsConsumed fills consumed from regions
   * @param requestsAhead requests for tokens ahead of need
   */
  public record Records(
      long notAuthentic,
      long repeated,
      long chunkBytesRetransmitted,
      long bodyBytesReceived,
      long bodiesSent,
      long notificationsSent,
      long fillsConsumed,
      long requestsAhead) {}

  static WorkerSnapshot of(WorkerDescription worker, SubmissionPort port) {
    PathCounters paths = port.counters();
    return new WorkerSnapshot(
        worker.worker(),
        worker.thread(),
        worker.core(),
        worker.address(),
        worker.loop().iterations(),
        worker.loop().parks(),
        network(worker.endpoints()),
        worker.endpoints().stream().map(WorkerSnapshot::nic).toList(),
        new Transfers(
            paths.requestsSent,
            paths.responsesReceived,
            paths.requestsServed,
            paths.callsFailed,
            paths.framesRetransmitted,
            paths.payloadBytesSent,
            paths.payloadBytesAcknowledged,
            paths.payloadBytesDelivered,
            paths.streamsOpened,
            paths.streamsEnded),
        new Packets(
            paths.packetsSent,
            paths.packetsReceived,
            paths.packetsWithProgress,
            paths.packetsLost,
            paths.duplicatesDropped,
            paths.authenticationFailures,
            paths.unknownKeys,
            paths.datagramsDropped,
            retirements(paths),
            challenges(paths)),
        recovery(paths),
        new Bodies(regions(paths, port.regions()), records(paths), remoteWrites(paths)));
  }

  private static Network network(List<EndpointDescription> endpoints) {
    Map<String, Long> ofDrivers = new TreeMap<>();
    endpoints.forEach(
        each ->
            each.counters()
                .ofDriver()
                .forEach((name, count) -> ofDrivers.merge(name, count, Long::sum)));
    return new Network(
        sum(endpoints, counters -> counters.datagramsSent),
        sum(endpoints, counters -> counters.datagramsReceived),
        sum(endpoints, counters -> counters.bytesSent),
        sum(endpoints, counters -> counters.bytesReceived),
        sum(endpoints, counters -> counters.sendCalls),
        sum(endpoints, counters -> counters.receiveCalls),
        sum(endpoints, counters -> counters.receiveQueueDrops),
        sum(endpoints, counters -> counters.sendFailures),
        sum(endpoints, counters -> counters.oversizedDrops),
        ofDrivers);
  }

  private static long sum(
      List<EndpointDescription> endpoints, ToLongFunction<EndpointCounters> counter) {
    return endpoints.stream().mapToLong(each -> counter.applyAsLong(each.counters())).sum();
  }

  private static Nic nic(EndpointDescription endpoint) {
    EndpointCounters counters = endpoint.counters();
    return new Nic(
        endpoint.nicName(),
        endpoint.driver(),
        endpoint.address(),
        counters.bytesSent,
        counters.bytesReceived,
        counters.datagramsSent,
        counters.datagramsReceived);
  }

  private static Retirements retirements(PathCounters paths) {
    return new Retirements(
        paths.retirementsSent, paths.retirementsReceived, paths.controlKeysDerived);
  }

  private static Challenges challenges(PathCounters paths) {
    return new Challenges(
        paths.latePacketsOpened,
        paths.transfersChallenged,
        paths.challengesConfirmed,
        paths.challengesReset,
        paths.challengesAnswered);
  }

  private static Recovery recovery(PathCounters paths) {
    return new Recovery(
        paths.spuriousLosses,
        paths.probeTimeouts,
        paths.persistentCongestions,
        paths.protocolViolations,
        paths.peerFaults,
        paths.railMoves);
  }

  private static Records records(PathCounters paths) {
    return new Records(
        paths.recordsNotAuthentic,
        paths.recordsRepeated,
        paths.chunkBytesRetransmitted,
        paths.bodyBytesReceived,
        paths.bodiesSent,
        paths.notificationsSent,
        paths.fillsConsumed,
        paths.requestsAhead);
  }

  private static RemoteWrites remoteWrites(PathCounters paths) {
    return new RemoteWrites(
        paths.remoteWritesPosted, paths.remoteWritesFailed, paths.remoteWriteStalls);
  }

  private static Regions regions(PathCounters paths, @Nullable WorkerRegions regions) {
    return new Regions(
        regions == null ? 0 : regions.grantedBytes(),
        regions == null ? 0 : regions.outstandingBytes(),
        regions == null ? 0 : regions.peakOutstandingBytes(),
        paths.tokensGranted,
        paths.tokensGrantedAhead,
        paths.tokensRevoked,
        paths.grantsExhausted,
        paths.writesRejected,
        paths.chunksStale,
        paths.duplicateNotifications);
  }
}
