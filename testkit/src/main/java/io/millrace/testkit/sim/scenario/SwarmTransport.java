package io.millrace.testkit.sim.scenario;

import io.millrace.config.CryptoSettings;
import io.millrace.config.HandshakeSettings;
import io.millrace.config.LimitSettings;
import io.millrace.config.NicSettings;
import io.millrace.config.RecoverySettings;
import io.millrace.config.RegionSettings;
import io.millrace.config.SchedulerPolicy;
import io.millrace.config.SchedulerSettings;
import io.millrace.config.TransferSettings;
import io.millrace.config.TransportSettings;
import io.millrace.config.WorkerSettings;
import io.millrace.testkit.sim.node.SimTransportSettings;
import java.util.List;

/** Draws every constant of the protocol, the tiniest that are allowed among them. */
final class SwarmTransport {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;
  private static final long MS = 1_000_000;
  private static final long S = 1_000 * MS;
  private static final int INLINE_MESSAGES = 4;
  private static final int PATHS_PER_PEER = 2;
  private static final int RARE_PPM = 250_000;
  private static final TransportSettings BASE = SimTransportSettings.parse("");

  private final Swarm swarm;
  private final int datagramBytes;

  SwarmTransport(Swarm swarm) {
    this.swarm = swarm;
    datagramBytes = swarm.pick("nic.datagram", 1_200, 1_472, 1_472, 4_000, 8_972);
  }

  TransportSettings settings() {
    return new TransportSettings(
        handshake(),
        workers(),
        nic(),
        limits(),
        recovery(),
        crypto(),
        scheduler(),
        transfers(),
        regions());
  }

  private HandshakeSettings handshake() {
    HandshakeSettings base = BASE.handshake();
    return new HandshakeSettings(
        base.listen(),
        base.advertised(),
        base.provider(),
        base.psk(),
        swarm.spread("handshake.timeout", 200 * MS, 5 * S));
  }

  private WorkerSettings workers() {
    WorkerSettings base = BASE.workers();
    return new WorkerSettings(
        base.count(),
        base.cores(),
        base.idleStrategy(),
        swarm.pick("workers.receive-limit", 1, 4, 64),
        swarm.pick("workers.submission-limit", 1, 4, 512),
        swarm.pick("workers.submission-depth", 2, 4, 16, 64),
        swarm.pick("workers.tick", 8_192L, 32_768L, 524_288L),
        swarm.pick("workers.slots", 64, 256, 1_024));
  }

  private NicSettings nic() {
    NicSettings base = BASE.nic();
    return new NicSettings(
        base.driver(),
        base.address(),
        base.receiveBufferBytes(),
        base.sendBufferBytes(),
        datagramBytes,
        swarm.pick("nic.send-buffers", 2, 4, 8, 16, 32),
        swarm.pick("nic.train", 1, 2, 8, 16),
        swarm.has("nic.ecn"),
        swarm.pick("nic.connected", 0, 1, 4));
  }

  private LimitSettings limits() {
    LimitSettings base = BASE.limits();
    int peers = swarm.between("limits.peers", 8, 64);
    long leastCredit = (long) INLINE_MESSAGES * datagramBytes;
    long leastBudget = leastCredit * PATHS_PER_PEER * peers;
    return new LimitSettings(
        peers,
        (int) swarm.spread("limits.transfers", 4, 1_024),
        swarm.spread("limits.inline-budget", leastBudget, 4 * leastBudget),
        Math.max(16 * KIB, swarm.spread("limits.credit", leastCredit, 16 * leastCredit)),
        swarm.spread("limits.answers", 64 * KIB, 4 * MIB),
        (int) swarm.spread("limits.waiting", 4, 1_024),
        (int) swarm.spread("limits.executor", 4, 1_024),
        base.headersBytes());
  }

  private RecoverySettings recovery() {
    return new RecoverySettings(
        swarm.spread("recovery.rtt", MS / 10, 20 * MS),
        swarm.between("recovery.pto", 1, 4),
        swarm.spread("recovery.pto-max", 20 * MS, S),
        swarm.has("recovery.no-delay", RARE_PPM)
            ? 0
            : swarm.spread("recovery.ack", MS / 50, 5 * MS),
        swarm.between("recovery.reorder", 1, 6),
        swarm.spread("recovery.silence", 20 * MS, 500 * MS),
        swarm.spread("recovery.probe", 10 * MS, 200 * MS),
        swarm.between("recovery.unanswered", 2, 6),
        swarm.spread("recovery.fail", 300 * MS, 3 * S),
        swarm.spread("recovery.keep-alive", 500 * MS, 10 * S));
  }

  private CryptoSettings crypto() {
    CryptoSettings base = BASE.crypto();
    return new CryptoSettings(
        base.aead(),
        base.recordAead(),
        swarm.pick("crypto.bits", 128, 256),
        swarm.has("crypto.rotation") ? swarm.spread("crypto.packets", 16, 4_096) : 1L << 23,
        swarm.has("crypto.bytes", RARE_PPM)
            ? swarm.spread("crypto.key-bytes", 64 * KIB, 16 * MIB)
            : base.bytesPerKey());
  }

  private SchedulerSettings scheduler() {
    return new SchedulerSettings(
        swarm.pick("scheduler.policy", SchedulerPolicy.WEIGHTED, SchedulerPolicy.STRICT),
        BASE.scheduler().weights());
  }

  private TransferSettings transfers() {
    long window = swarm.spread("transfers.window", 64 * KIB, MIB);
    int message = (int) swarm.spread("transfers.message", 256 * KIB, 8 * MIB);
    return new TransferSettings(
        swarm.pick("transfers.pool", MIB, MIB, 2 * MIB),
        window,
        message,
        swarm.spread("transfers.assembly", message, 4L * message));
  }

  private RegionSettings regions() {
    List<Integer> sizes =
        swarm.has("regions.two")
            ? List.of(64 * KIB, swarm.pick("regions.large", 128, 192, 256) * KIB)
            : List.of(swarm.pick("regions.only", 64, 128) * KIB);
    List<Integer> counts =
        sizes.size() == 1
            ? List.of(swarm.between("regions.small-count", 1, 6))
            : List.of(
                swarm.between("regions.small-count", 1, 6),
                swarm.between("regions.large-count", 1, 2));
    long revokeNs = swarm.spread("regions.idle-revoke", MS / 2, 50 * MS);
    return new RegionSettings(
        sizes,
        counts,
        swarm.spread("regions.budget", 64 * KIB, 512 * KIB),
        swarm.spread("regions.per-peer", sizes.getLast(), 2 * MIB),
        revokeNs,
        swarm.spread("regions.idle-timeout", Math.max(revokeNs, 100 * MS), 10 * S),
        swarm.has("regions.quarantine") ? swarm.spread("regions.rest", MS / 10, 30 * MS) : 0);
  }
}
