package io.millrace.testkit.internal.oracle;

import io.millrace.driver.CompletionHandler;
import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.fabric.FabricObserver;
import io.millrace.testkit.internal.fabric.WriteView;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.NodeLife;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.WriteNotifyDecoder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * A sender announces a fill, or gives the fill up, when all its one-sided writes into this region
 * have ended. The sender announces the fill as placed when exactly the named bytes were completed.
 * The oracle looks at the first packet that names the fill: later packets repeat the announcement.
 */
final class AnnouncementOracle implements Oracle, FabricObserver, CipherObserver {
  static final String NAME = "announced after the last write";

  private final Simulation simulation;
  private final FullCluster cluster;
  private final GrantedKeys granted;
  private final Long2ObjectHashMap<Written> keys = new Long2ObjectHashMap<>();
  private final WriteNotifyDecoder notice = new WriteNotifyDecoder();
  private final FrameVisitor frames = this::onFrame;

  /** The writes and announcements of a sender under one key. */
  private static final class Written {
    private int underWay;
    private long doneBytes;
    private long announcedFill = -1;
  }

  /** Watches the fabric of a cluster before the first node boots. */
  AnnouncementOracle(FullCluster cluster, GrantedKeys granted) {
    this.cluster = cluster;
    this.granted = granted;
    simulation = cluster.simulation();
    cluster.fabrics().forEach(fabric -> fabric.observe(this));
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  private Written written(long key) {
    return keys.computeIfAbsent(key, each -> new Written());
  }

  @Override
  public void onPosted(WriteView write, long nowNs) {
    written(granted.name(write.remoteKey())).underWay++;
  }

  @Override
  public void onEnded(WriteView write, int status, long nowNs) {
    Written written = written(granted.name(write.remoteKey()));
    written.underWay--;
    written.doneBytes += status == CompletionHandler.STATUS_OK ? write.length() : 0;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    FrameVisitor.visit(packet, frames);
  }

  private void onFrame(PlainPacket packet, int template, int frame) {
    if (template == WriteNotifyDecoder.TEMPLATE_ID) {
      DirectBuffer buffer = packet.buffer();
      notice.wrap(
          buffer,
          frame + FrameStart.LENGTH,
          FrameStart.blockLength(buffer, frame),
          FrameStart.version(buffer, frame));
      look(packet.key().life());
    }
  }

  private void look(NodeLife life) {
    if (cluster.isLiar(life.node().number())) {
      return;
    }
    boolean isPlaced = (notice.flags() & WriteFlags.PLACED) != 0;
    for (WriteNotifyDecoder.RegionsDecoder fill : notice.regions()) {
      Written written = written(fill.key());
      if (fill.fill() <= written.announcedFill) {
        continue;
      }
      written.announcedFill = fill.fill();
      long bytes = fill.lengthBytes();
      if (written.underWay > 0) {
        fail(life, fill, written.underWay + " writes of it are under way");
      } else if (isPlaced && bytes > 0 && written.doneBytes != bytes) {
        fail(life, fill, written.doneBytes + " of " + bytes + " bytes were completed");
      }
      written.doneBytes = 0;
    }
  }

  private void fail(NodeLife life, WriteNotifyDecoder.RegionsDecoder fill, String what) {
    simulation.fail(
        NAME,
        Lives.text(life)
            + " announces fill "
            + fill.fill()
            + " of region "
            + fill.region()
            + ", but "
            + what,
        null);
  }
}
