package io.millrace.actor.peer;

import io.millrace.actor.body.OutboundBody;
import io.millrace.protocol.recovery.RecoverySink;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.TransferItem;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the frames of acknowledged and lost packets of one path: a frame is sent again if
 * what it says is still wanted, whatever packet it was in; rules. On the worker's
 * thread; does not allocate.
 */
final class PathItems implements RecoverySink {
  private final PeerPath path;
  private boolean progress;

  PathItems(PeerPath path) {
    this.path = path;
  }

  @Override
  public void onItemAcked(long item) {
    switch (TransferItem.kind(item)) {
      case OutboundFrame.KIND_REQUEST -> onRequestAcked(item);
      case OutboundFrame.KIND_RESPONSE -> onResponseAcked(item);
      case PathControl.KIND_PROBE -> path.size().onProbeAcked(TransferItem.slot(item));
      case ChunkItem.KIND -> progress = true;
      case WriteItems.NOTIFY -> onNoticeAcked(item);
      case WriteItems.REVOKED -> path.regions().statements().onAcked(item);
      case WriteItems.RARE -> path.rareFrames().onDelivered(item);
      case WriteItems.STREAM -> onStreamFrameAcked(item);
      case PathControl.KIND_REPORT -> path.received().onReportConfirmed(TransferItem.of(0, item));
      default -> {}
    }
  }

  @Override
  public void onItemLost(long item) {
    switch (TransferItem.kind(item)) {
      case PathControl.KIND_PROBE -> path.size().onProbeLost(TransferItem.slot(item));
      case PathControl.KIND_CREDIT -> path.onCreditDue();
      case WriteItems.CONSUMED, WriteItems.REVOKED, WriteItems.GRANT, WriteItems.REQUEST -> {
        path.regions().statements().onLost(item);
        path.onRegionControlDue();
      }
      case ChunkItem.KIND -> path.writes().chunks().onChunkLost(item);
      default -> queueAgain(item);
    }
  }

  @Override
  public boolean onItemRetransmit(long item) {
    if (TransferItem.kind(item) == ChunkItem.KIND) {
      // Chunks are not known one by one: two packets that speak for one would make it two chunks.
      path.writes().chunks().onChunkLost(item);
      return true;
    }
    queueAgain(item);
    return false;
  }

  private void queueAgain(long item) {
    OutboundFrame frame = find(item);
    if (frame != null && !frame.isObsolete() && !frame.isQueued()) {
      path.transfers().sendAgain(frame);
    }
  }

  @Override
  public void onPacketAcked(long packetNumber, int bytes) {
    if (progress) {
      path.services().counters().packetsWithProgress++;
      progress = false;
    }
  }

  @Override
  public void onPacketLost(long packetNumber, int bytes) {
    WorkerServices services = path.services();
    services.counters().packetsLost++;
    services.events().onPacketLost(services.worker(), path.peer(), packetNumber, bytes);
  }

  @Override
  public void onSpuriousLoss(long packetNumber) {
    path.services().counters().spuriousLosses++;
  }

  @Override
  public void onProbeTimeout() {
    path.services().counters().probeTimeouts++;
  }

  @Override
  public void onPersistentCongestion() {
    path.services().counters().persistentCongestions++;
  }

  private void onStreamFrameAcked(long item) {
    int contentLength = path.transfers().streams().frames().onDelivered(item);
    if (contentLength >= 0) {
      progress = true;
      path.services().counters().payloadBytesAcknowledged += contentLength;
    }
  }

  private void onRequestAcked(long item) {
    OutboundCall call =
        path.transfers().calls().find(TransferItem.slot(item), TransferItem.generation(item));
    if (call != null) {
      progress |= !call.isObsolete();
      path.transfers().onRequestArrived(call);
      call.onAcknowledged();
    } else {
      // The response overtook this acknowledgement: the packet did bring the transfer on.
      progress = true;
    }
  }

  private @Nullable OutboundFrame find(long item) {
    int slot = TransferItem.slot(item);
    int generation = TransferItem.generation(item);
    return switch (TransferItem.kind(item)) {
      case OutboundFrame.KIND_REQUEST -> path.transfers().calls().find(slot, generation);
      case OutboundFrame.KIND_RESPONSE -> answered(slot, generation);
      case WriteItems.NOTIFY -> path.writes().notices().find(item);
      case WriteItems.RARE -> path.rareFrames().find(item);
      case WriteItems.STREAM -> path.transfers().streams().frames().find(item);
      default -> null;
    };
  }

  private void onResponseAcked(long item) {
    int slot = TransferItem.slot(item);
    int generation = TransferItem.generation(item);
    ServedCall call = answered(slot, generation);
    int contentLength = call == null ? 0 : call.contentLength();
    if (path.transfers().served().onResponseAcknowledged(slot, generation)) {
      progress = true;
      path.services().counters().payloadBytesAcknowledged += contentLength;
      path.transfers().bodies().onServedEnded(slot, generation);
    }
  }

  private void onNoticeAcked(long item) {
    WriteNotice notice = path.writes().notices().find(item);
    if (notice != null) {
      progress = true;
      OutboundBody body = notice.endOf();
      path.writes().notices().onOver(notice);
      if (body != null) {
        path.writes().onEndDelivered(body);
      }
    }
  }

  private @Nullable ServedCall answered(int slot, int generation) {
    ServedCall call = path.transfers().served().find(slot, generation);
    if (call != null && call.isAnswered()) {
      return call;
    }
    return null;
  }
}
