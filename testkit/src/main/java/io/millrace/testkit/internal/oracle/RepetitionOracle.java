package io.millrace.testkit.internal.oracle;

import io.millrace.crypto.Records;
import io.millrace.ends.PathCounters;
import io.millrace.engine.TransportPool;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.schedule.Timer;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.KeyName;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.internal.node.TimerObserver;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.AckDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Packets that were not lost are not retransmitted, except by probes; rules. A worker
 * may declare a packet lost if the packet did not come to its receiver, came after later packets,
 * or counted there as not received. A worker may also declare a packet lost that came in time, but
 * left the receiver's window before an acknowledgement for the packet arrived. The worker declares
 * no more packets lost than the sum of these packets. Where an acknowledgement had no room for all
 * gaps of a long loss, nobody knows the number. Retransmissions are at most the content of these
 * packets, as many frames each as in the fullest packet of this worker. The content of one packet
 * for each probe timeout comes on top, and the records whose tag their receivers found wrong.
 * {@link RecoveryTimerOracle} checks that probe timeouts are not early. Looks after every {@value
 * #STEPS}th event.
 */
public final class RepetitionOracle extends PoolOracle implements CipherObserver, TimerObserver {
  private static final String NAME = "sent again what was lost";
  private static final int STEPS = 1_024;

  /** An acknowledgement with this many ranges behind its first range may have left out ranges. */
  private static final int MOST_RANGES = 32;

  /** The frames of a lost packet may go again as more frames, in smaller packets. */
  private static final long LEAST_FRAMES_A_PACKET = 16;

  // Looked up only, never walked.
  private final Map<KeyName, NodeLife> sealers = new HashMap<>();
  private final Map<PathSide, Way> ways = new HashMap<>();

  /** The same ways, by the receiving side. */
  private final Map<PathSide, Way> heard = new HashMap<>();

  private final Map<LifePath, Tally> paths = new HashMap<>();
  private final Map<Sender, Tally> tallies = new HashMap<>();
  private final List<Sender> senders = new ArrayList<>();
  private final AckDecoder ack = new AckDecoder();
  private final FrameVisitor counting = this::onFrame;
  private long frames;
  private long probesBefore;

  /** A worker of a life. */
  private record Sender(NodeLife life, int worker) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Sender sender && life == sender.life && worker == sender.worker;
    }

    @Override
    public int hashCode() {
      return 31 * life.hashCode() + worker;
    }
  }

  /** The largest content of a single packet. */
  record Carried(long bytes, long frames) {}

  /** The fate of the packets of a worker. */
  private static final class Tally {
    private long sealed;
    private long inTime;

    /**
     * Packets that came in time and left the window of their receivers before their acknowledgement
     * came.
     */
    private long forgotten;

    /** Probe timeouts passed. */
    private long probes;

    /** Frames of the fullest packet. */
    private long mostFrames = LEAST_FRAMES_A_PACKET;

    private boolean isUnsure;
  }

  /** The packets of a worker over one path. */
  private static final class Way {
    private final Tally tally;
    private final int windowPackets;
    private long newestOpened = -1;

    /**
     * Packets that came in time and are in the receiver's window, without the sender's knowledge.
     */
    private final TreeSet<Long> unknown = new TreeSet<>();

    /** The unknown packets that no acknowledgement has named, arrived or not. */
    private final TreeSet<Long> unnamed = new TreeSet<>();

    private Way(Tally tally, int windowPackets) {
      this.tally = tally;
      this.windowPackets = windowPackets;
    }

    private void onOpened(long number) {
      if (number <= newestOpened) {
        return;
      }
      // A receiver reports packets in time that leave its window step by step.
      boolean isJump = number - newestOpened > windowPackets / 2;
      newestOpened = number;
      tally.inTime++;
      unknown.add(number);
      unnamed.add(number);
      while (unknown.first() <= number - windowPackets) {
        long left = unknown.removeFirst();
        boolean wasNamed = !unnamed.remove(left);
        tally.forgotten += wasNamed || isJump ? 1 : 0;
      }
    }
  }

  /** Watches the ciphers and transports of a cluster before the first node boots. */
  public RepetitionOracle(FullCluster cluster) {
    super(cluster, STEPS);
    cluster.observeCiphers(this);
    cluster.observeTimers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    NodeLife life = packet.key().life();
    sealers.putIfAbsent(packet.key().name(), life);
    Tally tally = tally(life, PacketHeader.sourceWorker(packet.buffer(), packet.offset()));
    tally.sealed++;
    frames = 0;
    FrameVisitor.visit(packet, counting);
    tally.mostFrames = Math.max(tally.mostFrames, frames);
    paths.putIfAbsent(LifePath.of(packet), tally);
    Way named = hasAck(packet) ? heard.get(PathSide.ofSender(packet)) : null;
    if (named != null) {
      removeAcked(named.unnamed);
    }
  }

  private void onFrame(PlainPacket packet, int template, int frame) {
    frames++;
  }

  @Override
  public void onTimerDue(NodeLife life, Timer timer, long deadlineNs) {
    if (timer.handler() instanceof PathPackets path) {
      probesBefore = path.recovery().counters().probeTimeouts();
    }
  }

  @Override
  public void onTimerFired(NodeLife life, Timer timer) {
    if (timer.handler() instanceof PathPackets path) {
      long probes = path.recovery().counters().probeTimeouts() - probesBefore;
      if (probes > 0) {
        Objects.requireNonNull(paths.get(new LifePath(life, path.pathId()))).probes += probes;
      }
    }
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
    Way way = heard.get(opener);
    if (way == null) {
      way = new Way(tally(sealer, opener.other()), window(opener.life()));
      heard.put(opener, way);
      ways.put(sender, way);
    }
    way.onOpened(packet.number());
    if (hasAck(packet)) {
      onAckOpened(opener);
    }
  }

  private static int window(NodeLife life) {
    return life.pools().stream()
        .mapToInt(pool -> pool.settings().recovery().windowPackets())
        .min()
        .orElse(ReceivedPackets.WINDOW);
  }

  private void onAckOpened(PathSide opener) {
    // This acknowledgement perhaps did not name all received packets.
    if (ack.ranges().count() >= MOST_RANGES) {
      tally(opener.life(), opener.own()).isUnsure = true;
    }
    Way acked = ways.get(opener);
    if (acked != null) {
      removeAcked(acked.unknown);
    }
  }

  /** Takes out the packets named in the acknowledgement at hand. */
  private void removeAcked(NavigableSet<Long> packets) {
    ack.sbeRewind();
    long high = ack.largest();
    long low = high - ack.firstRange();
    packets.subSet(low, true, high, true).clear();
    for (AckDecoder.RangesDecoder range : ack.ranges()) {
      high = low - range.gap() - 2;
      low = high - range.length();
      packets.subSet(low, true, high, true).clear();
    }
  }

  /** Whether a packet holds an acknowledgement; if so, this acknowledgement is at hand. */
  private boolean hasAck(PlainPacket packet) {
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
    return true;
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
      long came = tally.inTime - tally.forgotten;
      long missing = tally.isUnsure ? tally.sealed : tally.sealed - came;
      if (counters.packetsLost > missing) {
        missing += notTaken();
      }
      Carried most = new Carried(pool.settings().nic().maxDatagramBytes(), tally.mostFrames);
      String tooMuch = tooMuch(counters, missing, tally.probes, most);
      if (tooMuch != null) {
        fail(life, "worker " + worker + ": " + tooMuch);
      }
    }
  }

  /** Packets of any sender that counted as not received. */
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

  /** Describes the excess retransmissions of a worker, for people; null without an excess. */
  static @Nullable String tooMuch(PathCounters counters, long missing, long probes, Carried most) {
    long lost = counters.packetsLost;
    if (lost > missing) {
      return lost
          + " packets were declared lost, "
          + missing
          + " were, or came late, or were forgotten";
    }
    long packets = lost + probes;
    long mostBytes = most.bytes() * packets + Records.RECORD_BYTES * counters.recordsRepeated;
    if (counters.chunkBytesRetransmitted > mostBytes) {
      return again(counters.chunkBytesRetransmitted, "bytes of chunks", mostBytes, lost, probes);
    }
    // The opening of a transfer goes again when the peer challenges the transfer.
    long mostFrames = most.frames() * packets + counters.openingsRepeated;
    return counters.framesRetransmitted > mostFrames
        ? again(counters.framesRetransmitted, "frames", mostFrames, lost, probes)
        : null;
  }

  private static String again(long count, String what, long most, long lost, long probes) {
    return "%d %s were sent again, at most %d are right: %d packets lost, %d probe timeouts"
        .formatted(count, what, most, lost, probes);
  }
}
