package io.millrace.path.write;

import io.millrace.body.OutboundBody;
import io.millrace.protocol.transfer.FrameQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayQueue;

/**
 * The waiting work of a path at a given priority: bodies that wait for regions, fills with a
 * revoked region, fills being sent, lost chunks, and fills of which the peer wants records again.
 * Worker's thread only; allocates only during growth.
 */
final class WriteQueues {
  final ArrayDeque<OutboundBody> waiting = new ArrayDeque<>();
  // In the order of their positions in their bodies, for all bodies together.
  final List<WriteFill> orphans = new ArrayList<>();
  final ArrayDeque<WriteFill> sending = new ArrayDeque<>();
  // Each fill once, however often the peer asks for records of the fill.
  final ArrayDeque<WriteFill> wanted = new ArrayDeque<>();
  final LongArrayQueue lost = new LongArrayQueue(Long.MIN_VALUE);

  /** The number of bytes of the first lost chunk sent again already. */
  int lostSentBytes;

  static WriteQueues[] ofLevels() {
    WriteQueues[] levels = new WriteQueues[FrameQueue.LEVELS];
    for (int level = 0; level < levels.length; level++) {
      levels[level] = new WriteQueues();
    }
    return levels;
  }
}
