package io.millrace.path.write;

import io.millrace.body.OutboundBody;
import io.millrace.protocol.transfer.FrameQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayQueue;

/**
 * What one path has to write at one priority: bodies that wait for regions, fills whose region was
 * revoked, fills that are being sent, lost chunks, and fills of which records are wanted again.
 * Worker's thread only; allocates only while it grows.
 */
final class WriteQueues {
  final ArrayDeque<OutboundBody> waiting = new ArrayDeque<>();
  // By their position in their body, whatever the body.
  final List<WriteFill> orphans = new ArrayList<>();
  final ArrayDeque<WriteFill> sending = new ArrayDeque<>();
  // Each once, however often its records are asked for.
  final ArrayDeque<WriteFill> wanted = new ArrayDeque<>();
  final LongArrayQueue lost = new LongArrayQueue(Long.MIN_VALUE);

  /** Bytes of the first lost chunk that went again already. */
  int lostSentBytes;

  static WriteQueues[] ofLevels() {
    WriteQueues[] levels = new WriteQueues[FrameQueue.LEVELS];
    for (int level = 0; level < levels.length; level++) {
      levels[level] = new WriteQueues();
    }
    return levels;
  }
}
