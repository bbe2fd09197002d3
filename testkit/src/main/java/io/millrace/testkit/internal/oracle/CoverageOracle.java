package io.millrace.testkit.internal.oracle;

import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.path.region.WorkerRegions;
import io.millrace.protocol.region.RegionCounters;
import io.millrace.protocol.region.WriteVerdict;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyInUse;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.NodeObserver;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.oracle.Coverage.Mark;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.PacketHeader;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Breaks no run; counts the marks that the run reached, from the counters of all lives when each
 * life ends.
 */
public final class CoverageOracle implements Oracle, NodeObserver, CipherObserver {
  private final Coverage coverage;
  private final Set<KeyInUse> laterKeys = Collections.newSetFromMap(new IdentityHashMap<>());
  private boolean isOver;

  /** Counts the marks of a cluster before the first node boots. */
  public CoverageOracle(FullCluster cluster, Coverage coverage) {
    this.coverage = coverage;
    cluster.observe(this);
    cluster.observeCiphers(this);
    cluster.simulation().onClose(() -> isOver = true);
  }

  @Override
  public String name() {
    return "coverage";
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    if (PacketHeader.keyId(packet.buffer(), packet.offset()) > 0 && laterKeys.add(packet.key())) {
      coverage.hit(Mark.KEY_ROTATED);
    }
  }

  @Override
  public void onLifeEnded(NodeLife life) {
    if (!isOver && life.pools().stream().noneMatch(TransportPool::isClosing)) {
      coverage.hit(Mark.CRASH);
    }
    for (TransportPool pool : life.pools()) {
      for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
        add(pool.port(worker).counters());
        WorkerRegions regions = pool.port(worker).regions();
        if (regions != null) {
          add(regions.counters());
        }
      }
    }
  }

  private void add(PathCounters counters) {
    coverage.hit(Mark.DUPLICATE_DROPPED, counters.duplicatesDropped);
    coverage.hit(Mark.KEY_RETIRED, counters.retirementsReceived);
    coverage.hit(Mark.PATH_RENEWED, counters.pathsRenewed);
    coverage.hit(Mark.PATH_DOUBTED, counters.pathsDoubted);
    coverage.hit(Mark.RAIL_MOVED, counters.railMoves);
    coverage.hit(Mark.PATH_UNKNOWN, counters.unknownSecretsSent);
    coverage.hit(Mark.TRANSFER_CHALLENGED, counters.transfersChallenged);
    coverage.hit(Mark.CHALLENGE_CONFIRMED, counters.challengesConfirmed);
    coverage.hit(Mark.CHALLENGE_RESET, counters.challengesReset);
    coverage.hit(Mark.PACKET_NOT_AUTHENTIC, counters.authenticationFailures);
    coverage.hit(Mark.PACKET_LOST, counters.packetsLost);
    coverage.hit(Mark.FRAME_RETRANSMITTED, counters.framesRetransmitted);
    coverage.hit(Mark.FRAME_CUT, counters.framesCut);
    coverage.hit(Mark.CHUNK_RETRANSMITTED, counters.chunkBytesRetransmitted);
    coverage.hit(Mark.SEND_BUFFER_STALL, counters.sendBufferStalls);
    coverage.hit(Mark.DUPLICATE_REQUEST, counters.duplicateRequests);
    coverage.hit(Mark.CALL_FAILED, counters.callsFailed);
    coverage.hit(Mark.BODY_SENT, counters.bodiesSent);
    coverage.hit(Mark.STREAM_OPENED, counters.streamsOpened);
    coverage.hit(Mark.PACKET_NOT_TAKEN, counters.packetsNotTaken);
    coverage.hit(Mark.FILL_WITHDRAWN, counters.fillsWithdrawn);
    coverage.hit(Mark.REVOCATION_PAUSED, counters.revocationPauses);
    coverage.hit(Mark.GRANTED_AHEAD, counters.tokensGrantedAhead);
    coverage.hit(Mark.CALL_ABANDONED, counters.callsAbandoned);
    coverage.hit(Mark.ANSWER_DROPPED, counters.answersDropped);
  }

  private void add(RegionCounters counters) {
    coverage.hit(Mark.REVOKED_IDLE, counters.revokedIdle());
    coverage.hit(Mark.REVOKED_UNDER_PRESSURE, counters.revokedUnderPressure());
    coverage.hit(Mark.REGIONS_EXHAUSTED, counters.exhausted());
    coverage.hit(Mark.WRITE_REVOKED, counters.writes(WriteVerdict.REVOKED));
    coverage.hit(Mark.WRITE_STALE, counters.writes(WriteVerdict.STALE_FILL));
    coverage.hit(Mark.WRITE_FOREIGN, counters.writes(WriteVerdict.NOT_OWNER));
    coverage.hit(Mark.WRITE_FOREIGN, counters.writes(WriteVerdict.WRONG_KEY));
    coverage.hit(Mark.WRITE_DISCARDED, counters.discardedWrites());
  }
}
