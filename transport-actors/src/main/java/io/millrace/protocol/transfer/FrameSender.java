package io.millrace.protocol.transfer;

/** Takes the frames that a path is to send. On the worker's thread. */
public interface FrameSender {
  /** The frame waits for its turn. */
  void queue(OutboundFrame frame);

  /** The frame goes ahead of all other frames of its level. */
  void queueFirst(OutboundFrame frame);

  /** The frame goes right behind another queued frame of its level. */
  void queueBehind(OutboundFrame before, OutboundFrame frame);
}
