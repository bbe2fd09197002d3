package io.millrace.protocol.transfer;

/** Takes the frames of one path that are to be sent. On the worker's thread. */
public interface FrameSender {
  /** The frame waits for its turn. */
  void queue(OutboundFrame frame);

  /** The frame goes ahead of all others of its level. */
  void queueFirst(OutboundFrame frame);

  /** The frame goes right behind another of its level, which is queued. */
  void queueBehind(OutboundFrame before, OutboundFrame frame);
}
