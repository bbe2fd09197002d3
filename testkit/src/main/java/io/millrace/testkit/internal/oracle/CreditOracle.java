package io.millrace.testkit.internal.oracle;

import io.millrace.testkit.internal.core.Simulation;
import io.millrace.testkit.internal.node.CipherObserver;
import io.millrace.testkit.internal.node.FullCluster;
import io.millrace.testkit.internal.node.PlainPacket;
import io.millrace.testkit.sim.Oracle;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.AckDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.StreamCreditDecoder;
import io.millrace.wire.codec.StreamDataDecoder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * No first transmission exceeds the credit known to its sender: inline messages by rule C-2,
 * elements and bytes of streams by rule S-4. The oracle counts from the frames that ciphers seal,
 * apart from the transport's own counts. Answers cost nothing (C-1). Lying nodes are exempt.
 */
final class CreditOracle implements Oracle, CipherObserver {
  static final String NAME = "sent within credit";

  private final Simulation simulation;
  private final FullCluster cluster;
  // Looked up only, never walked.
  private final Map<PathSide, SentCredit> sides = new HashMap<>();
  private final AckDecoder ack = new AckDecoder();
  private final InlineRequestDecoder request = new InlineRequestDecoder();
  private final StreamDataDecoder data = new StreamDataDecoder();
  private final StreamCreditDecoder credit = new StreamCreditDecoder();
  private final FrameVisitor sealed = this::onSealed;
  private final FrameVisitor opened = this::onOpened;
  private SentCredit side = new SentCredit();
  private long looked;

  /** Watches all ciphers of a cluster before the first node boots. */
  CreditOracle(FullCluster cluster) {
    this.cluster = cluster;
    simulation = cluster.simulation();
    cluster.observeCiphers(this);
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Messages and segments looked at so far, retransmissions too. */
  long looked() {
    return looked;
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    side = sides.computeIfAbsent(PathSide.ofSender(packet), each -> new SentCredit());
    FrameVisitor.visit(packet, sealed);
  }

  @Override
  public void onPacketOpened(PlainPacket packet) {
    side = sides.computeIfAbsent(PathSide.ofReceiver(packet), each -> new SentCredit());
    FrameVisitor.visit(packet, opened);
  }

  private void onOpened(PlainPacket packet, int template, int frame) {
    DirectBuffer buffer = packet.buffer();
    int at = frame + FrameStart.LENGTH;
    int block = FrameStart.blockLength(buffer, frame);
    int version = FrameStart.version(buffer, frame);
    if (template == AckDecoder.TEMPLATE_ID) {
      side.onInlineLimit(ack.wrap(buffer, at, block, version).inlineLimit());
    } else if (template == StreamCreditDecoder.TEMPLATE_ID) {
      credit.wrap(buffer, at, block, version);
      side.onStreamCredit(credit.transferId(), credit.flags(), credit.elements(), credit.bytes());
    }
  }

  private void onSealed(PlainPacket packet, int template, int frame) {
    DirectBuffer buffer = packet.buffer();
    int at = frame + FrameStart.LENGTH;
    int block = FrameStart.blockLength(buffer, frame);
    int version = FrameStart.version(buffer, frame);
    String wrong =
        switch (template) {
          case InlineRequestDecoder.TEMPLATE_ID -> {
            request.wrap(buffer, at, block, version);
            long transfer = request.transferId();
            int headers = request.skipHeaders();
            yield look(side.request(transfer, headers, request.skipPayload()));
          }
          case StreamDataDecoder.TEMPLATE_ID -> {
            data.wrap(buffer, at, block, version);
            yield look(segment());
          }
          default -> null;
        };
    if (wrong != null && !cluster.isLiar(packet.key().life().node().number())) {
      simulation.fail(NAME, Lives.text(packet.key().life()) + " " + wrong, null);
    }
  }

  private @Nullable String look(@Nullable String wrong) {
    looked++;
    return wrong;
  }

  private @Nullable String segment() {
    long transfer = data.transferId();
    long segment = data.segment();
    long first = data.element();
    int flags = data.flags();
    StreamDataDecoder.LengthsDecoder lengths = data.lengths();
    int count = lengths.count();
    while (lengths.hasNext()) {
      lengths.next();
    }
    return side.segment(transfer, flags, segment, first + count, data.skipElements());
  }
}
