package io.millrace.path.piece;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.FrameReceiver;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PathPackets;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one path that go in pieces, both ways; rules T-8 and T-13. On the worker's thread.
 */
public final class PathPieces {
  private final FrameReceiver rooms;
  private final int maxDatagramBytes;

  /** Made with the first piece, which few paths ever get. */
  private @Nullable JoinedFrames joined;

  /** The pieces of a path whose frames go to these rooms. */
  public PathPieces(PathPackets path, FrameReceiver rooms) {
    this.rooms = rooms;
    maxDatagramBytes = path.terms().maxDatagramBytes();
    if (path.terms().hasPieces()) {
      CutFrames cut = new CutFrames(path);
      path.own(PacketItems.PIECE, cut);
      path.frames().cutter(cut);
    }
  }

  /** Reads a piece of the peer; false if its packet must count as not received. */
  public boolean read(SegmentBuffer buffer, int at, int end) {
    JoinedFrames own = joined;
    if (own == null) {
      own = new JoinedFrames(rooms, maxDatagramBytes);
      joined = own;
    }
    return own.read(buffer, at, end);
  }
}
