package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.AckDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * An acknowledgement names only packets that its sender has opened, on this path and between these
 * workers. Checked when the packet with the acknowledgement is sealed, so the oracle finds a wrong
 * acknowledgement even if no named packet was lost. Whether an opened packet had to count as not
 * received is not known here.
 */
public final class ReceiptOracle implements Oracle, CipherObserver {
  static final String NAME = "acknowledged what arrived";

  private final Simulation simulation;
  // Looked up only, never walked.
  private final Map<PathSide, UsedNonces> opened = new HashMap<>();
  private final AckDecoder ack = new AckDecoder();
  private final FrameVisitor sealed = this::onFrame;
  private long acknowledgements;

  /** Watches all ciphers of a cluster before the first node boots. */
  public ReceiptOracle(FullCluster cluster) {
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Acknowledgements looked at so far. */
  public long acknowledgements() {
    return acknowledgements;
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    PathSide side = PathSide.ofReceiver(packet);
    opened.computeIfAbsent(side, each -> new UsedNonces()).use(packet.number());
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    FrameVisitor.visit(packet, sealed);
  }

  private void onFrame(PlainPacket packet, int template, int frame) {
    if (template == AckDecoder.TEMPLATE_ID) {
      DirectBuffer buffer = packet.buffer();
      int block = FrameStart.blockLength(buffer, frame);
      ack.wrap(buffer, frame + FrameStart.LENGTH, block, FrameStart.version(buffer, frame));
      look(packet);
    }
  }

  private void look(PlainPacket packet) {
    acknowledgements++;
    PathSide side = PathSide.ofSender(packet);
    UsedNonces arrived = opened.computeIfAbsent(side, each -> new UsedNonces());
    long low = require(side, arrived, ack.largest(), ack.firstRange());
    for (AckDecoder.RangesDecoder range : ack.ranges()) {
      low = require(side, arrived, low - range.gap() - 2, range.length());
    }
  }

  /**
   * Checks the packet {@code high} and {@code below} packets before; returns the lowest of these
   * numbers.
   */
  private long require(PathSide side, UsedNonces arrived, long high, long below) {
    long low = high - below;
    long missing = low < 0 ? low : arrived.firstUnused(low, high);
    if (missing <= high) {
      simulation.fail(
          NAME,
          Lives.text(side.life())
              + " acknowledges packets "
              + low
              + " to "
              + high
              + " of path "
              + Long.toHexString(side.path())
              + ", but has not opened "
              + missing,
          null);
    }
    return low;
  }
}
