package io.millrace.protocol.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both ends of a real flow: every state with every input; an input without an edge in the table has
 * no effect.
 */
class FlowWalkTest {
  private static final int COST = 100;

  @ParameterizedTest
  @EnumSource(SendFlowState.class)
  void shouldMoveTheSenderAsTheTableSays(SendFlowState from) {
    for (SendFlowEvent event : SendFlowEvent.values()) {
      StreamSender sender = senderIn(from);
      assertEquals(from, sender.state());
      SendFlowState next = FlowTransitions.next(from, event);
      apply(sender, event);
      assertEquals(next == null ? from : next, sender.state(), from + " " + event);
      boolean isNewClose = next == SendFlowState.CLOSE_SENT && from != SendFlowState.CLOSE_SENT;
      boolean isFailedClose = event == SendFlowEvent.SEGMENT_LOST && next != null;
      assertEquals(isNewClose || isFailedClose, sender.takeClose(), from + " " + event);
    }
  }

  private static StreamSender senderIn(SendFlowState state) {
    StreamSender sender =
        state == SendFlowState.CLOSED ? StreamSender.absent() : new StreamSender();
    if (state == SendFlowState.ENDING || state == SendFlowState.CLOSE_SENT) {
      sender.onEnd();
    }
    if (state == SendFlowState.CLOSE_SENT) {
      sender.onDrained();
      assertTrue(sender.takeClose());
    }
    return sender;
  }

  private static void apply(StreamSender sender, SendFlowEvent event) {
    switch (event) {
      case END -> sender.onEnd();
      case ALL_SENT -> sender.onDrained();
      case FAIL -> sender.onFail(1, "failed");
      case SEGMENT_LOST -> sender.onSegmentLost(2, "lost");
      case CANCEL -> sender.onCancel(3);
      case CLOSE_ACKED -> sender.onCloseAck();
      case PATH_ENDED -> sender.onPathEnded();
    }
  }

  @ParameterizedTest
  @EnumSource(ReceiveFlowState.class)
  void shouldMoveTheReceiverAsTheTableSays(ReceiveFlowState from) {
    for (ReceiveFlowEvent event : ReceiveFlowEvent.values()) {
      StreamReceiver receiver = receiverIn(from);
      assertEquals(from, receiver.state());
      ReceiveFlowState next = FlowTransitions.next(from, event);
      apply(receiver, event);
      assertEquals(next == null ? from : next, receiver.state(), from + " " + event);
    }
  }

  private static StreamReceiver receiverIn(ReceiveFlowState state) {
    StreamWindow window = FlowLab.WINDOW;
    StreamReceiver receiver =
        state == ReceiveFlowState.CLOSED
            ? StreamReceiver.absent(window, new TestMemory())
            : new StreamReceiver(window, new TestMemory(), element -> {});
    if (state == ReceiveFlowState.CLOSE_KNOWN) {
      receiver.onClose(true, 1, COST);
    }
    if (state == ReceiveFlowState.CANCEL_SENT) {
      assertTrue(receiver.onCancel());
    }
    return receiver;
  }

  private static void apply(StreamReceiver receiver, ReceiveFlowEvent event) {
    switch (event) {
      case CLOSE -> receiver.onClose(true, 1, COST);
      case ALL_ARRIVED -> arrive(receiver);
      case FAIL -> receiver.onClose(false, 1, COST);
      case CANCEL -> receiver.onCancel();
      case PATH_ENDED -> receiver.onPathEnded();
    }
  }

  /** The only segment of the flow. */
  private static void arrive(StreamReceiver receiver) {
    SegmentBuffer buffer = new SegmentBuffer(new byte[COST]);
    buffer.putByte(0, (byte) 1);
    SegmentPlace place = new SegmentPlace();
    place.set(buffer, 0, 2, 1);
    place.elements(10, 1);
    receiver.onSegment(0, 0, 0, buffer, place);
  }
}
