package io.millrace.testkit.internal.oracle;

import io.millrace.config.RecoverySettings;
import io.millrace.engine.TransportPool;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.recovery.PathRecovery;
import io.millrace.protocol.recovery.RttEstimator;
import io.millrace.protocol.schedule.Timer;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.node.TimerObserver;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.PathCloseDecoder;
import io.millrace.wire.codec.ProbeResponseDecoder;
import io.millrace.wire.codec.RegionExhaustedDecoder;
import io.millrace.wire.codec.RegionRevokeDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.collections.Long2LongHashMap;

/**
 * A timer of a path never decides early; rules. A path asks again when its probe
 * timeout has passed since its last packet that asks for an acknowledgement. The timeout grows by
 * the factor of the settings each time that nothing came meanwhile by the present NIC. A timer
 * declares the oldest packet lost when 9/8 of a round trip have passed since this packet was sent.
 * The oracle sees the times of sealing and opening at the ciphers, by the node's own clock; only
 * the round trip times come from the transport.
 */
public final class RecoveryTimerOracle implements Oracle, CipherObserver, TimerObserver {
  private static final String NAME = "recovery timers never early";
  private static final long NEVER_SENT = Long.MIN_VALUE;

  /**
   * After this many expiries, the least interval is longer than the longest interval that settings
   * allow.
   */
  private static final int MOST_DOUBLINGS = 30;

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<LifePath, Sent> places = new HashMap<>();
  private final Before before = new Before();
  private final FrameVisitor sealed = this::onFrame;
  private boolean isAsking;
  private long probeTimeouts;
  private long losses;

  /** The packets of a life over a path. */
  private static final class Sent {
    /** Send times of packets, from the oldest packet in flight on; older packets are forgotten. */
    private final Long2LongHashMap timesNs = new Long2LongHashMap(NEVER_SENT);

    private long oldest;
    private long askedNs = NEVER_SENT;

    /** The time of the request before the last request. */
    private long askedBeforeNs = NEVER_SENT;

    private int expiries;

    /** How often the path had gone on by another NIC. */
    private long moves;

    /** Starts over after a change of NIC: missing answers by one NIC say nothing of another NIC. */
    void onMoves(long movesNow) {
      if (moves != movesNow) {
        moves = movesNow;
        expiries = 0;
      }
    }

    void add(long number, boolean isAsking, long nowNs) {
      timesNs.put(number, nowNs);
      if (isAsking && nowNs != askedNs) {
        askedBeforeNs = askedNs;
        askedNs = nowNs;
      }
    }

    void forgetBelow(long number) {
      while (oldest < number) {
        timesNs.remove(oldest++);
      }
    }

    /** Returns when the path last asked for an acknowledgement before this moment. */
    long askedBefore(long nowNs) {
      return askedNs == nowNs ? askedBeforeNs : askedNs;
    }
  }

  /** The state of a path's recovery when the path's timer fired. */
  private static final class Before {
    private long oldest;
    private long probeTimeouts;
    private long lost;

    void set(PathRecovery recovery) {
      oldest = recovery.oldestInFlight();
      probeTimeouts = recovery.counters().probeTimeouts();
      lost = recovery.counters().lostPackets();
    }
  }

  /** Watches the ciphers and timers of a cluster before the first node boots. */
  public RecoveryTimerOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
    cluster.observeTimers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Probe timeouts looked at so far. */
  public long probeTimeouts() {
    return probeTimeouts;
  }

  /** Packets that a timer declared lost, looked at so far: a single packet for each time. */
  public long losses() {
    return losses;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    long nowNs = packet.key().life().clock().nowNs();
    isAsking = packet.buffer().getByte(packet.offset()) == PacketHeader.FORM_CHUNKS;
    FrameVisitor.visit(packet, sealed);
    sent(LifePath.of(packet)).add(packet.number(), isAsking, nowNs);
  }

  /** A path does not ask about frames whose loss it does not wait for. */
  private void onFrame(PlainPacket packet, int template, int frame) {
    isAsking |=
        switch (template) {
          case AckDecoder.TEMPLATE_ID,
              ProbeResponseDecoder.TEMPLATE_ID,
              RegionExhaustedDecoder.TEMPLATE_ID,
              RegionRevokeDecoder.TEMPLATE_ID,
              PathCloseDecoder.TEMPLATE_ID ->
              false;
          default -> true;
        };
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    sent(LifePath.of(packet)).expiries = 0;
  }

  private Sent sent(LifePath place) {
    return places.computeIfAbsent(place, each -> new Sent());
  }

  @Override
  public void onTimerDue(NodeLife life, Timer timer, long deadlineNs) {
    if (timer.handler() instanceof PathPackets path) {
      before.set(path.recovery());
      Sent sent = sent(new LifePath(life, path.pathId()));
      sent.forgetBelow(before.oldest);
      sent.onMoves(path.rails().moves());
    }
  }

  @Override
  public void onTimerFired(NodeLife life, Timer timer) {
    if (timer.handler() instanceof PathPackets path) {
      PathRecovery recovery = path.recovery();
      Sent sent = sent(new LifePath(life, path.pathId()));
      if (recovery.counters().probeTimeouts() > before.probeTimeouts) {
        onProbeTimeout(life, sent, recovery.rtt());
      } else if (recovery.counters().lostPackets() > before.lost) {
        onLoss(life, sent, recovery.rtt());
      }
    }
  }

  private void onProbeTimeout(NodeLife life, Sent sent, RttEstimator rtt) {
    long nowNs = life.clock().nowNs();
    long askedNs = sent.askedBefore(nowNs);
    // A path also waits for acknowledgements that announce credit; these look like all other
    // acknowledgements.
    if (askedNs != NEVER_SENT) {
      probeTimeouts++;
      require(life, "asks again", nowNs - askedNs, leastNs(life, sent, rtt));
    }
    sent.expiries++;
  }

  /** The shortest interval that a transport of this life may have now. */
  private static long leastNs(NodeLife life, Sent sent, RttEstimator rtt) {
    long leastNs = Long.MAX_VALUE;
    for (TransportPool pool : life.pools()) {
      RecoverySettings settings = pool.settings().recovery();
      long firstNs = rtt.smoothedNs() * settings.pto().multiplier() + settings.ackDelayNs();
      long grownNs = firstNs;
      for (int i = 0; i < Math.min(sent.expiries, MOST_DOUBLINGS); i++) {
        grownNs =
            Math.min(settings.pto().factor() * grownNs, Math.max(firstNs, settings.pto().maxNs()));
      }
      leastNs = Math.min(leastNs, grownNs);
    }
    return leastNs;
  }

  private void onLoss(NodeLife life, Sent sent, RttEstimator rtt) {
    losses++;
    long leastNs = Math.max(rtt.latestNs(), rtt.smoothedNs()) * 9 / 8;
    long waitedNs = life.clock().nowNs() - sent.timesNs.get(before.oldest);
    require(life, "takes packet " + before.oldest + " for lost", waitedNs, leastNs);
  }

  private void require(NodeLife life, String what, long waitedNs, long leastNs) {
    if (waitedNs < leastNs) {
      simulation.fail(
          NAME,
          "%s %s after %d ns, not before %d ns are right"
              .formatted(Lives.text(life), what, waitedNs, leastNs),
          null);
    }
  }
}
