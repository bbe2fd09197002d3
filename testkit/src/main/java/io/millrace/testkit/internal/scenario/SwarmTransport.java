package io.millrace.testkit.internal.scenario;

import io.millrace.access.AccessRules;
import io.millrace.access.CallPattern;
import io.millrace.config.CausalitySettings;
import io.millrace.config.CongestionControllerKind;
import io.millrace.config.CryptoSettings;
import io.millrace.config.DataKeySettings;
import io.millrace.config.FailoverSettings;
import io.millrace.config.HandshakeSettings;
import io.millrace.config.LimitSettings;
import io.millrace.config.NicEntry;
import io.millrace.config.NicPlaces;
import io.millrace.config.NicRates;
import io.millrace.config.NicSettings;
import io.millrace.config.PeerHealthSettings;
import io.millrace.config.RecoverySettings;
import io.millrace.config.RegionSettings;
import io.millrace.config.ReserveSettings;
import io.millrace.config.RevocationSettings;
import io.millrace.config.SchedulerPolicy;
import io.millrace.config.SchedulerSettings;
import io.millrace.config.SendRateSettings;
import io.millrace.config.SilenceSettings;
import io.millrace.config.StreamSettings;
import io.millrace.config.TransferSettings;
import io.millrace.config.TransportSettings;
import io.millrace.config.WaitingSettings;
import io.millrace.config.WorkerSettings;
import io.millrace.protocol.stream.ElementMemory;
import io.millrace.testkit.internal.node.SimTransportSettings;
import io.millrace.testkit.sim.Swarm;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Draws every constant of the protocol, including the smallest allowed values. */
final class SwarmTransport {
  /** Bits per second; without a limit most often. */
  private static final List<Long> RATES = List.of(0L, 0L, 200_000_000L, 1_000_000_000L);

  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** Enough for a body of every peer of a scenario; rule C-9. */
  private static final long LEAST_REQUESTS = MIB;

  /**
   * Rules that allow everything, even calls that no other rule allows: a scenario denies calls by
   * rules of its own.
   */
  private static final AccessRules EVERYTHING =
      new AccessRules(
          List.of(
              new AccessRules.Rule(
                  List.of("psk:"), List.of("*"), EnumSet.allOf(CallPattern.class))));

  private static final long MS = 1_000_000;
  private static final long S = 1_000 * MS;
  private static final int INLINE_MESSAGES = 4;
  private static final int PATHS_PER_PEER = 2;
  private static final long LEAST_CREDIT = 16 * KIB;
  private static final int USUAL_PPM = 400_000;
  private static final int RARE_PPM = 250_000;
  private static final List<Integer> EQUAL = List.of(1, 1, 1, 1, 1, 1, 1, 1);
  private static final List<Integer> STEEP = List.of(4_096, 512, 64, 8, 1, 1, 1, 4_096);
  private static final TransportSettings BASE = SimTransportSettings.parse("");

  private final Swarm swarm;
  private final int datagramBytes;
  private final List<NicEntry> nics;

  SwarmTransport(Swarm swarm) {
    this.swarm = swarm;
    datagramBytes =
        vary(
            "nic.datagram",
            BASE.nic().maxDatagramBytes(),
            swarm.pick("nic.datagram", 1_200, 1_472, 1_472, 4_000, 8_972));
    nics = vary("nics", BASE.nic().places().nics(), nics());
  }

  /** Most nodes have one interface, described in the block {@code nic}. */
  private List<NicEntry> nics() {
    int count = swarm.pick("nics.count", 0, 0, 0, 2, 2, 3, 4);
    List<NicEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int workers = swarm.pick("nics.workers" + i, 1, 1, 1, 0, 2);
      entries.add(
          new NicEntry(
              "nic" + i,
              BASE.nic().drivers(),
              new InetSocketAddress(BASE.nic().address().getAddress(), port()),
              i == 0 ? Math.max(workers, 1) : workers,
              List.of(),
              rates("nics" + i)));
    }
    return entries;
  }

  private int port() {
    return pick("nic.port", BASE.nic().address().getPort(), List.of(0, FIXED_PORT));
  }

  /** The number of workers on several interfaces is the number that the interfaces name. */
  private int workerCount() {
    int drawn = pick("workers.count", BASE.workers().count(), List.of(1, 1, 1, 2, 3));
    return nics.isEmpty() ? drawn : nics.stream().mapToInt(NicEntry::workers).sum();
  }

  TransportSettings settings() {
    TransferSettings transfers = transfers();
    return new TransportSettings(
        handshake(),
        workers(),
        nic(),
        limits(transfers.messageBytes()),
        recovery(),
        crypto(),
        scheduler(),
        transfers,
        regions(),
        streams(transfers.messageBytes()));
  }

  private StreamSettings streams(long messageBytes) {
    StreamSettings base = BASE.streams();
    int windowBytes = pick("streams.bytes", base.windowBytes(), List.of(16 * KIB, 64 * KIB, MIB));
    int window = pick("streams.window", base.windowElements(), List.of(16, 17, 64, 256));
    long least = 2 * (messageBytes + windowBytes);
    long leastShare = messageBytes + 2L * windowBytes + ElementMemory.cost(window, 0);
    return new StreamSettings(
        window,
        windowBytes,
        spread("streams.budget", base.budgetBytes(), least, 16 * least),
        spread("streams.per-peer", base.perPeerBytes(), leastShare, 8 * leastShare));
  }

  private <T> T vary(String name, T usual, T drawn) {
    return swarm.vary(name, usual, drawn);
  }

  private long spread(String name, long usual, long low, long high) {
    return swarm.vary(name, usual, swarm.spread(name, low, high));
  }

  /** Of nodes whose endpoints are at the same address after a restart. */
  private static final int FIXED_PORT = 9_000;

  /** 0 is never. The other intervals are short, so that renewals meet everything else. */
  private static final List<Long> RENEWALS = List.of(0L, 50 * MS, 500 * MS, 5 * S);

  private HandshakeSettings handshake() {
    HandshakeSettings base = BASE.handshake();
    return new HandshakeSettings(
        base.listen(),
        base.advertised(),
        base.provider(),
        base.tls(),
        base.psk(),
        spread("handshake.timeout", base.timeoutNs(), 200 * MS, 5 * S),
        pick("handshake.renew-every", base.renewEveryNs(), RENEWALS),
        base.keyLog(),
        base.limits(),
        pick("access.rules", base.access(), List.of(base.access(), EVERYTHING)));
  }

  private WorkerSettings workers() {
    WorkerSettings base = BASE.workers();
    return new WorkerSettings(
        workerCount(),
        base.cores(),
        base.numa(),
        base.idleStrategy(),
        pick("workers.receive-limit", base.receiveLimit(), List.of(1, 4, 64)),
        pick("workers.submission-limit", base.submissionLimit(), List.of(1, 4, 512)),
        pick("workers.submission-depth", base.submissionDepth(), List.of(2, 4, 16, 64)),
        pick("workers.tick", base.wheelTickNs(), List.of(8_192L, 32_768L, 524_288L)),
        pick("workers.slots", base.wheelSlots(), List.of(64, 256, 1_024)),
        base.watch());
  }

  /** Picks a value of the list, or the usual value, which most users have. */
  private <T> T pick(String name, T usual, List<T> values) {
    boolean isUsual = !values.contains(usual) && swarm.has("usual." + name, USUAL_PPM);
    return isUsual ? usual : vary(name, usual, swarm.pick(name, values));
  }

  private NicSettings nic() {
    NicSettings base = BASE.nic();
    return new NicSettings(
        new NicPlaces(
            base.drivers(),
            new InetSocketAddress(base.address().getAddress(), port()),
            nics,
            base.places().pins()),
        base.receiveBufferBytes(),
        base.sendBufferBytes(),
        datagramBytes,
        pick("nic.send-buffers", base.sendBuffers(), List.of(2, 4, 8, 16, 32)),
        pick("nic.train", base.maxTrainPackets(), List.of(1, 2, 8, 16)),
        pick("nic.ecn", base.ecn(), List.of(true, false)),
        pick("nic.connected", base.connectedSockets(), List.of(0, 1, 4)),
        new NicRates(
            new SendRateSettings(
                sendRate("nic"),
                pick("nic.flow-rate", base.sendRate().flowBitsPerSecond(), RATES),
                pick("nic.source-ports", base.sendRate().sourcePorts(), List.of(1, 2, 5))),
            base.link(),
            base.rates().forecastsAnswers()),
        base.notReady(),
        failover(base.failover()));
  }

  /** The rates of an entry, of which the block has the flow rate and the source ports. */
  private NicRates rates(String nic) {
    return new NicRates(new SendRateSettings(sendRate(nic), 0, 1), BASE.nic().link());
  }

  private long sendRate(String nic) {
    return pick(nic + ".send-rate", BASE.nic().sendRate().bitsPerSecond(), RATES);
  }

  private FailoverSettings failover(FailoverSettings base) {
    long firstHoldNs = spread("failover.first-hold", base.firstHoldNs(), MS, S);
    long longestNs = spread("failover.longest-hold", base.longestHoldNs(), 100 * MS, 60 * S);
    return new FailoverSettings(
        spread("failover.silence", base.silenceNs(), 5 * MS, 500 * MS),
        firstHoldNs,
        Math.max(firstHoldNs, longestNs));
  }

  private LimitSettings limits(long messageBytes) {
    long leastRequests = Math.max(LEAST_REQUESTS, 2 * messageBytes);
    LimitSettings base = BASE.limits();
    int peers = vary("limits.peers", base.peers(), swarm.between("limits.peers", 8, 64));
    long leastCredit = (long) INLINE_MESSAGES * datagramBytes;
    long leastBudget = leastCredit * PATHS_PER_PEER * peers;
    long usualBudget = Math.max(leastBudget, base.inlineBudgetBytes());
    return new LimitSettings(
        peers,
        (int) spread("limits.transfers", base.concurrentTransfers(), 4, 1_024),
        spread("limits.inline-budget", usualBudget, leastBudget, 4 * leastBudget),
        Math.max(
            LEAST_CREDIT,
            spread("limits.credit", base.inlineCreditBytes(), leastCredit, 16 * leastCredit)),
        spread("limits.answers", base.answerBudgetBytes(), 64 * KIB, 4 * MIB),
        (int) spread("limits.executor", base.executorQueue(), 4, 1_024),
        base.headersBytes(),
        pick("limits.device-threads", base.deviceThreads(), List.of(1, 2, 16)),
        new WaitingSettings(
            (int) spread("limits.waiting", base.waiting().calls(), 4, 1_024),
            pick("limits.room", base.waiting().submissions(), List.of(0, 4, 1_024)),
            pick("limits.minimum", base.waiting().admissionMinimum(), List.of(0, 2, 12)),
            base.waiting().pending(),
            spread(
                "limits.request-budget",
                base.waiting().requestBudgetBytes(),
                leastRequests,
                16 * leastRequests),
            base.waiting().retries()),
        base.process());
  }

  private RecoverySettings recovery() {
    RecoverySettings base = BASE.recovery();
    boolean isAtOnce = swarm.has("recovery.no-delay", RARE_PPM);
    return new RecoverySettings(
        spread("recovery.rtt", base.initialRttNs(), MS / 10, 20 * MS),
        probeTimeout(base.pto()),
        vary(
            "recovery.ack",
            base.ackDelayNs(),
            isAtOnce ? 0L : swarm.spread("recovery.ack", MS / 50, 5 * MS)),
        vary(
            "recovery.answer-ack",
            base.answerAckDelayNs(),
            isAtOnce ? 0L : swarm.spread("recovery.answer-ack", MS / 10, 50 * MS)),
        vary("recovery.reorder", base.reorderPackets(), swarm.between("recovery.reorder", 1, 6)),
        pick("recovery.window", base.windowPackets(), List.of(256, 512, 4_096)),
        silence(base.silence()),
        health(base.health()),
        pick(
            "congestion.controller",
            base.controller(),
            List.of(CongestionControllerKind.values())));
  }

  private RecoverySettings.ProbeTimeout probeTimeout(RecoverySettings.ProbeTimeout base) {
    return new RecoverySettings.ProbeTimeout(
        vary("recovery.pto", base.multiplier(), swarm.between("recovery.pto", 1, 4)),
        base.factor(),
        spread("recovery.pto-max", base.maxNs(), 20 * MS, S),
        base.jitterPercent());
  }

  private SilenceSettings silence(SilenceSettings base) {
    return new SilenceSettings(
        spread("recovery.silence", base.silenceNs(), 20 * MS, 500 * MS),
        spread("recovery.probe", base.probePeriodNs(), 10 * MS, 200 * MS),
        vary(
            "recovery.unanswered",
            base.unansweredProbes(),
            swarm.between("recovery.unanswered", 2, 6)),
        spread("recovery.opening", base.openingTimeoutNs(), 20 * MS, 3 * S),
        spread("recovery.fail", base.failAfterNs(), 300 * MS, 3 * S),
        spread("recovery.keep-alive", base.keepAliveNs(), 500 * MS, 10 * S));
  }

  private PeerHealthSettings health(PeerHealthSettings base) {
    int degrade =
        vary("health.degrade", base.degradePercent(), swarm.between("health.degrade", 5, 95));
    PeerHealthSettings.Search search = base.search();
    long periodNs = spread("health.search", search.periodNs(), 20 * MS, S);
    return new PeerHealthSettings(
        (int) spread("health.outcomes", base.outcomes(), 4, 256),
        pick("health.every", base.everyNs(), List.of(0L, 5 * MS, 100 * MS)),
        degrade,
        vary("health.recover", Math.min(base.recoverPercent(), degrade - 1), degrade / 3),
        spread("health.degraded", base.degradedTimeoutNs(), 100 * MS, 10 * S),
        vary("health.answered", base.answeredProbes(), swarm.between("health.answered", 1, 6)),
        pick("health.priority", base.degradedPriority(), List.of(0, 1, 7)),
        pick("health.icmp", base.usesIcmp(), List.of(true, false)),
        new PeerHealthSettings.Search(
            periodNs,
            vary(
                "health.search-most",
                search.mostPeriodNs(),
                periodNs * swarm.between("health.search-most", 1, 8)),
            spread("health.interest", search.interestNs(), 5 * S, 60 * S)));
  }

  private CryptoSettings crypto() {
    CryptoSettings base = BASE.crypto();
    boolean rotates = swarm.has("crypto.rotation");
    boolean isByBytes = swarm.has("crypto.bytes", RARE_PPM);
    return new CryptoSettings(
        base.aead(),
        base.recordAead(),
        pick("crypto.bits", base.keyBits(), List.of(128, 256)),
        rotates ? spread("crypto.packets", base.packetsPerKey(), 16, 4_096) : base.packetsPerKey(),
        isByBytes
            ? spread("crypto.key-bytes", base.bytesPerKey(), 64 * KIB, 16 * MIB)
            : base.bytesPerKey(),
        spread("crypto.old", base.oldKeyTtlNs(), S, 60 * S),
        pick("crypto.retire", base.retire(), List.of(true, false)),
        dataKeys(base.dataKeys()),
        base.acceptUnsealed());
  }

  private DataKeySettings dataKeys(DataKeySettings base) {
    long senderNs = spread("data-keys.sender", base.senderTtlNs(), 10 * MS, 10 * S);
    return new DataKeySettings(
        pick("data-keys.records", base.recordsPerKey(), List.of(4L, 5L, 16L)),
        pick("data-keys.bytes", base.bytesPerKey(), List.of(256L * KIB, (long) MIB)),
        senderNs,
        pick("data-keys.cache", base.receiverCache(), List.of(1, 2, 16)),
        Math.max(senderNs, spread("data-keys.receiver", base.receiverTtlNs(), 10 * MS, 60 * S)));
  }

  private SchedulerSettings scheduler() {
    SchedulerSettings base = BASE.scheduler();
    return new SchedulerSettings(
        pick(
            "scheduler.policy",
            base.policy(),
            List.of(SchedulerPolicy.WEIGHTED, SchedulerPolicy.STRICT)),
        pick("scheduler.weights", base.weights(), List.of(base.weights(), EQUAL, STEEP)));
  }

  private TransferSettings transfers() {
    TransferSettings base = BASE.transfers();
    int message = (int) spread("transfers.message", base.messageBytes(), 256 * KIB, 8 * MIB);
    return new TransferSettings(
        pick("transfers.pool", base.bufferPoolBytes(), List.of(512L * KIB, 640L * KIB, (long) MIB)),
        pick(
            "transfers.pool-per-peer",
            base.bufferPoolPerPeerBytes(),
            List.of(256L * KIB, 320L * KIB, 512L * KIB)),
        spread("transfers.window", base.windowBytes(), 64 * KIB, MIB),
        message,
        spread(
            "transfers.assembly", Math.max(message, base.assemblyBytes()), message, 4L * message),
        spread(
            "transfers.assembly-per-peer",
            Math.max(message, base.assemblyPerPeerBytes()),
            message,
            2L * message),
        base.broadcastPoolBytes(),
        pick("transfers.cover-broadcasts", base.coverBroadcasts(), List.of(true)),
        pick("transfers.prefetch", base.prefetchBytes(), List.of(64L * KIB, 512L * KIB)),
        registration(base.registration()),
        new CausalitySettings(
            pick("causality.initial", base.causality().initialSlots(), List.of(1, 4)),
            pick("causality.most", base.causality().mostSlots(), List.of(8, 64)),
            pick("causality.retained", base.causality().retainedOutcomes(), List.of(0, 1, 8))));
  }

  /** Few registrations at once, so that stretches take each other's place. */
  private TransferSettings.Registration registration(TransferSettings.Registration base) {
    int stretch = pick("transfers.stretch", base.stretchBytes(), List.of(64 * KIB, 256 * KIB));
    return new TransferSettings.Registration(
        stretch,
        pick("transfers.stretches", base.mostStretches(), List.of(1, 2, 4)),
        base.mostBytes());
  }

  private RegionSettings regions() {
    RegionSettings base = BASE.regions();
    List<Integer> sizes = vary("regions.sizes", base.sizesBytes(), sizes());
    List<Integer> counts =
        sizes.size() == 1
            ? List.of(swarm.between("regions.small-count", 1, 6))
            : List.of(
                swarm.between("regions.small-count", 1, 6),
                swarm.between("regions.large-count", 1, 2));
    List<Integer> usual = sizes.size() == 1 ? List.of(base.counts().getFirst()) : base.counts();
    long revokeNs = spread("regions.idle-revoke", base.idleRevokeNs(), MS / 2, 50 * MS);
    long rest =
        swarm.has("regions.quarantine") ? swarm.spread("regions.rest", MS / 10, 30 * MS) : 0;
    return new RegionSettings(
        sizes,
        vary("regions.counts", usual, counts),
        spread("regions.budget", base.grantBudgetBytes(), sizes.getLast(), 512 * KIB),
        spread("regions.per-peer", base.perPeerBytes(), sizes.getLast(), 2 * MIB),
        new ReserveSettings(
            pick("regions.reserve", base.reserve().percent(), List.of(0, 10, 50, 90)),
            pick("regions.reserve-for", base.reserve().priorities(), List.of(0, 1, 2, 8))),
        pick("regions.adaptive", base.adaptiveSizes(), List.of(true, false)),
        revokeNs,
        spread("regions.idle-timeout", base.idleTimeoutNs(), Math.max(revokeNs, 100 * MS), 10 * S),
        spread("regions.stall", base.stallTimeoutNs(), 100 * MS, 10 * S),
        new RevocationSettings(
            pick("regions.send-revoke", base.revocation().isTold(), List.of(true, false)),
            vary("regions.quarantine", base.revocation().quarantineNs(), rest)),
        base.packetSlots());
  }

  private List<Integer> sizes() {
    return swarm.has("regions.two")
        ? List.of(64 * KIB, swarm.pick("regions.large", 128, 192, 256) * KIB)
        : List.of(swarm.pick("regions.only", 64, 128) * KIB);
  }
}
