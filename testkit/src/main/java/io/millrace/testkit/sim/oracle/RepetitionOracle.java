package io.millrace.testkit.sim.oracle;

import io.millrace.actor.peer.PathCounters;
import io.millrace.actor.pool.TransportPool;
import io.millrace.testkit.sim.node.CipherObserver;
import io.millrace.testkit.sim.node.KeyName;
import io.millrace.testkit.sim.node.NodeLife;
import io.millrace.testkit.sim.node.PlainPacket;
import io.millrace.testkit.sim.node.SimCluster;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was not lost is not sent again, but for probes; rules. A worker declares at most
 * as many packets lost as did not come to their receivers, came there after later ones, or counted
 * there as not received; where so many were lost in a row that no acknowledgement had room for all
 * gaps, nobody knows. What it sends again is what those may have carried, and what probes carry:
 * one for each time that nothing was heard for long, of which there are few beside the packets.
 * Looks after every {@value #STEPS}th event.
 */
public final class RepetitionOracle extends PoolOracle implements CipherObserver {
  private static final String NAME = "sent again what was lost";
  private static final int STEPS = 1_024;

  /** Where a timeout is as short as it may be set, so many of a hundred packets are probes. */
  private static final int PROBES_PERCENT = 75;

  private static final int PERCENT = 100;

  /** An acknowledgement with so many ranges behind its first may have left some out. */
  private static final int MOST_RANGES = 32;

  /** While a peer stands still, probes go as often as they may. */
  private static final long PROBES = 64;

  /** Small frames that share a packet. */
  private static final long FRAMES_A_PACKET = 32;

  private static final long FRAMES_OF_PROBES = 256;

  // Looked up only, never walked.
  private final Map<KeyName, NodeLife> sealers = new HashMap<>();
  private final Map<PathSide, Way> ways = new HashMap<>();
  private final Map<Sender, Tally> tallies = new HashMap<>();
  private final List<Sender> senders = new ArrayList<>();
  private final AckDecoder ack = new AckDecoder();

  /** A worker of a life. */
  private record Sender(NodeLife life, int worker) {}

  /** What became of the packets of one worker. */
  private static final class Tally {
    private long sealed;
    private long inTime;
    private boolean isUnsure;
  }

  /** The packets of one worker over one path. */
  private static final class Way {
    private final Tally tally;
    private long newestOpened = -1;

    private Way(Tally tally) {
      this.tally = tally;
    }
  }

  /** Watches the ciphers and transports of a cluster whose nodes have not booted yet. */
  public RepetitionOracle(SimCluster cluster) {
    super(cluster, STEPS);
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    NodeLife life = packet.key().life();
    sealers.putIfAbsent(packet.key().name(), life);
    tally(life, PacketHeader.sourceWorker(packet.buffer(), packet.offset())).sealed++;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    NodeLife sealer = sealers.get(packet.key().name());
    if (sealer == null) {
      return;
    }
    PathSide opener = PathSide.ofReceiver(packet);
    PathSide sender =
        new PathSide(sealer, opener.path(), /* own= */ opener.other(), /* other= */ opener.own());
    Way way = ways.computeIfAbsent(sender, each -> new Way(tally(sealer, opener.other())));
    if (packet.number() > way.newestOpened) {
      way.newestOpened = packet.number();
      way.tally.inTime++;
    }
    if (leavesOut(packet)) {
      tally(opener.life(), opener.own()).isUnsure = true;
    }
  }

  /** Whether a packet acknowledges others, and perhaps not all that came. */
  private boolean leavesOut(PlainPacket packet) {
    int at = packet.bodyOffset();
    if (packet.bodyLength() < FrameStart.LENGTH
        || packet.buffer().getByte(packet.offset()) == PacketHeader.FORM_CHUNKS
        || FrameStart.templateId(packet.buffer(), at) != AckDecoder.TEMPLATE_ID) {
      return false;
    }
    ack.wrap(
        packet.buffer(),
        at + FrameStart.LENGTH,
        FrameStart.blockLength(packet.buffer(), at),
        FrameStart.version(packet.buffer(), at));
    return ack.ranges().count() >= MOST_RANGES;
  }

  private Tally tally(NodeLife life, int worker) {
    Sender sender = new Sender(life, worker);
    Tally known = tallies.get(sender);
    if (known == null) {
      known = new Tally();
      tallies.put(sender, known);
      senders.add(sender);
    }
    return known;
  }

  @Override
  void check(NodeLife life, TransportPool pool) {
    for (int worker = 0; worker < pool.settings().workers().count(); worker++) {
      PathCounters counters = pool.port(worker).counters();
      Tally tally = tally(life, worker);
      long missing = tally.isUnsure ? tally.sealed : tally.sealed - tally.inTime;
      if (counters.packetsLost > missing) {
        missing += notTaken();
      }
      int datagramBytes = pool.settings().nic().maxDatagramBytes();
      String tooMuch = tooMuch(counters, tally.sealed, missing, datagramBytes);
      if (tooMuch != null) {
        fail(life, "worker " + worker + ": " + tooMuch);
      }
    }
  }

  /** Packets of whomever that counted as not received. */
  private long notTaken() {
    long packets = 0;
    for (Sender each : senders) {
      for (TransportPool pool : each.life().pools()) {
        if (each.worker() < pool.settings().workers().count()) {
          packets += pool.port(each.worker()).counters().packetsNotTaken;
        }
      }
    }
    return packets;
  }

  /** Of what a worker sent again too much, for people; null if it did not. */
  static @Nullable String tooMuch(
      PathCounters counters, long sealed, long missing, int datagramBytes) {
    long lost = counters.packetsLost;
    if (lost > missing) {
      return lost + " packets were declared lost, " + missing + " were, or came late";
    }
    long mostBytes = datagramBytes * (lost + PROBES + sealed * PROBES_PERCENT / PERCENT);
    if (counters.chunkBytesRetransmitted > mostBytes) {
      return again(counters.chunkBytesRetransmitted, "bytes of chunks", mostBytes, lost, sealed);
    }
    long mostFrames = FRAMES_A_PACKET * lost + FRAMES_OF_PROBES + sealed / 2;
    return counters.framesRetransmitted > mostFrames
        ? again(counters.framesRetransmitted, "frames", mostFrames, lost, sealed)
        : null;
  }

  private static String again(long count, String what, long most, long lost, long sealed) {
    return "%d %s were sent again, at most %d are right: %d packets of %d were lost"
        .formatted(count, what, most, lost, sealed);
  }
}
