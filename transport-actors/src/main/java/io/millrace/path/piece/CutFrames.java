package io.millrace.path.piece;

import io.millrace.ends.PathCounters;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.protocol.transfer.OutboundFrame;
import org.jspecify.annotations.Nullable;

/**
 * Sends, in pieces, the frames of a path that were sent before, or belong to a stream, and are
 * longer than the path's datagrams now; rules T-8 and T-13. Holds copies of {@value #MOST_FRAMES}
 * frames at most, each as long as the path's datagrams once were; other frames wait until the
 * oldest of these has arrived. Rare: allocates. Worker's thread.
 */
final class CutFrames extends ItemOwner.OfFrames implements PathFrames.Cutter {
  /** The numbers of the frames under way lie within so many. */
  static final int MOST_FRAMES = 16;

  private static final @Nullable CutFrame[] NONE = {};
  private static final long MOST_NUMBERS = 1L << 32;
  private static final int PLACE_MASK = FramePiece.MOST - 1;

  private final PathPackets path;

  /** By number; made with the first cut frame, which few paths ever have. */
  private @Nullable CutFrame[] underWay = NONE;

  private long oldest;
  private long next;

  /** The cut frames of a path with a peer that reads pieces. */
  CutFrames(PathPackets path) {
    super(path.frames());
    this.path = path;
  }

  /** The number of the oldest frame under way; without such a frame the number of the next. */
  long oldest() {
    return oldest;
  }

  @Override
  public boolean hasNumbers() {
    return next < MOST_NUMBERS;
  }

  @Override
  public boolean hasRoom() {
    return next - oldest < MOST_FRAMES && hasNumbers();
  }

  @Override
  public void cut(OutboundFrame frame) {
    if (isUnderWay(frame.item())) {
      // An earlier packet with the whole frame was lost only now.
      return;
    }
    if (underWay.length == 0) {
      underWay = new CutFrame[MOST_FRAMES];
    }
    CutFrame copy = new CutFrame(this, next, frame);
    underWay[slot(next)] = copy;
    next++;
    PathCounters counters = path.worker().counters();
    counters.framesCut++;
    counters.payloadBytesSent += frame.contentLength();
    FramePiece[] pieces = copy.pieces();
    for (int place = pieces.length - 1; place >= 0; place--) {
      path.frames().queueFirst(pieces[place]);
    }
  }

  private boolean isUnderWay(long item) {
    for (CutFrame each : underWay) {
      if (each != null && each.item() == item) {
        return true;
      }
    }
    return false;
  }

  private static int slot(long number) {
    return (int) (number % MOST_FRAMES);
  }

  private @Nullable CutFrame frame(long item) {
    long number = (item & PacketItems.REST_MASK) >>> FramePiece.PLACE_BITS;
    CutFrame frame = underWay[slot(number)];
    return frame != null && frame.number() == number ? frame : null;
  }

  private static int place(long item) {
    return (int) item & PLACE_MASK;
  }

  @Override
  public boolean onItemAcked(long item) {
    CutFrame frame = frame(item);
    if (frame != null && frame.onArrived(place(item))) {
      underWay[slot(frame.number())] = null;
      while (oldest < next && underWay[slot(oldest)] == null) {
        oldest++;
      }
      path.items().onItemAcked(frame.item());
      path.touch();
    }
    return false;
  }

  @Override
  protected @Nullable OutboundFrame find(long item) {
    CutFrame frame = frame(item);
    return frame == null ? null : frame.pieces()[place(item)];
  }
}
