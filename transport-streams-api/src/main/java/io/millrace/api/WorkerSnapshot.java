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
 * What one worker is and has counted.
 *
 * @param worker its id
 * @param threadName its thread
 * @param core the CPU it is pinned to, or -1
 * @param address where peers reach its endpoint
 * @param iterations turns of its loop
 * @param parks times that its loop parked
 * @param network what its endpoints counted together
 * @param nics what each of its endpoints counted, its own NIC's first
 * @param transfers what its paths counted of transfers
 * @param packets what its paths counted of packets
 * @param recovery what its paths found out about packets that were missing
 * @param bodies what its paths counted of bodies, and what its regions hold
 */
@SuppressWarnings("RecordComponentNumber") // five of them are groups of counters already
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
   * What endpoints counted.
   *
   * @param datagramsSent datagrams handed to the network
   * @param datagramsReceived datagrams that came
   * @param bytesSent their bytes
   * @param bytesReceived their bytes
   * @param sendCalls system calls that sent them
   * @param receiveCalls system calls that brought them
   * @param receiveQueueDrops datagrams that the system dropped because the worker was too slow,
   *     where the driver is told
   * @param sendFailures datagrams that the network refused or the send queue dropped
   * @param oversizedDrops datagrams that came longer than the settings allow
   * @param ofDriver what this driver counts beyond these, by name
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
   * What one endpoint of the worker carried.
   *
   * @param nic the name of its NIC
   * @param driver the name of its driver
   * @param address where peers reach it
   * @param bytesSent bytes of datagrams handed to the network
   * @param bytesReceived bytes of datagrams that came
   * @param datagramsSent how many those were
   * @param datagramsReceived how many those were
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
   * What paths counted.
   *
   * @param requestsSent requests of this node
   * @param responsesReceived responses to them
   * @param requestsServed requests of peers
   * @param callsFailed calls of this node that failed
   * @param framesRetransmitted frames sent again; chunks of bodies are no frames, see {@link
   *     Records#chunkBytesRetransmitted}
   * @param payloadBytesSent bytes of headers and payload sent, again or not
   * @param payloadBytesAcknowledged of these, bytes that arrived at peers, each counted once
   * @param payloadBytesDelivered bytes of headers and payload that came for the first time
   * @param streamsOpened streams that began, whoever opened them
   * @param streamsEnded streams of which nothing is kept any more
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
   * What paths counted of packets.
   *
   * @param sent packets sealed and posted
   * @param received packets opened
   * @param withProgress packets whose acknowledgement brought a transfer on
   * @param lost packets declared lost
   * @param duplicatesDropped packets that had come before
   * @param authenticationFailures packets with a wrong tag
   * @param unknownKeys packets under a key that is not accepted any more or yet
   * @param datagramsDropped datagrams dropped for any reason
   * @param retirements datagrams that tell of keys which need not be kept any more
   * @param challenges what became of packets that came too late to tell whether they are replays
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
   * Datagrams that tell of keys which need not be kept any more.
   *
   * @param sent to peers
   * @param received of peers
   */
  public record Retirements(long sent, long received) {}

  /**
   * What paths counted of packets that came too late to tell whether they are replays, and of the
   * transfers that those would have opened.
   *
   * @param packetsOpened such packets that were opened to see what they would open
   * @param made transfers of peers whose initiator was asked whether they are its own
   * @param confirmed transfers of which it said so
   * @param reset transfers of which it said that they are not, or no longer: replays
   * @param answered transfers of this node that peers asked about
   */
  public record Challenges(
      long packetsOpened, long made, long confirmed, long reset, long answered) {}

  /**
   * What paths found out about packets that were missing, and about peers.
   *
   * @param spuriousLosses packets declared lost that were acknowledged all the same
   * @param probeTimeouts times that a path sent something again because it heard nothing
   * @param persistentCongestions times that losses spanned so long that a congestion window fell to
   *     its least
   * @param protocolViolations paths that were closed because the peer broke the protocol
   * @param peerFaults paths whose handling threw
   * @param railMoves times that a path went on by another NIC or driver
   */
  public record Recovery(
      long spuriousLosses,
      long probeTimeouts,
      long persistentCongestions,
      long protocolViolations,
      long peerFaults,
      long railMoves) {}

  /**
   * What does not fit a frame.
   *
   * @param regions memory that peers write into
   * @param records what peers wrote, and what was written to peers
   * @param remoteWrites writes into peers' memory by the NIC
   */
  public record Bodies(Regions regions, Records records, RemoteWrites remoteWrites) {}

  /**
   * One-sided writes into the memory of peers.
   *
   * @param posted handed to the driver
   * @param failed that ended with an error
   * @param stalls times that the driver had no room for one
   */
  public record RemoteWrites(long posted, long failed, long stalls) {}

  /**
   * Memory that peers write into, and what they tried there.
   *
   * @param grantedBytes of the regions that peers hold now
   * @param outstandingBytes that peers may write now and that have not come
   * @param peakOutstandingBytes the most that ever were outstanding; within the grant budget
   * @param tokensGranted tokens and authorisations given to peers
   * @param tokensGrantedAhead of these, tokens that nobody needed yet
   * @param tokensRevoked tokens taken back
   * @param grantsExhausted times that a peer was told that nothing can be granted
   * @param writesRejected chunks and notifications without a right to their place
   * @param chunksStale chunks of fills that were taken out already
   * @param notificationsRepeated notifications that had come before
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
   * What bodies came to.
   *
   * @param notAuthentic records that came with a wrong tag
   * @param repeated records written again because the peer found their tag wrong
   * @param chunkBytesRetransmitted bytes of chunks sent again
   * @param bodyBytesReceived bytes that landed in regions for the first time
   * @param bodiesSent bodies that peers have taken over whole
   * @param notificationsSent notifications of what was written to peers
   * @param fillsConsumed fills that were taken out of regions
   * @param requestsAhead requests for tokens that asked for some ahead of need
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
            new Retirements(paths.retirementsSent, paths.retirementsReceived),
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
