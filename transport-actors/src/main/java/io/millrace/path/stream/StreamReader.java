package io.millrace.path.stream;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireData;
import static io.millrace.path.packet.FrameCheck.requireGroup;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.CallOutcomes;
import io.millrace.path.packet.FrameCheck;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.protocol.stream.SegmentPlace;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PeerText;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.StreamCloseAckDecoder;
import io.millrace.wire.codec.StreamCloseDecoder;
import io.millrace.wire.codec.StreamCreditDecoder;
import io.millrace.wire.codec.StreamDataDecoder;

/**
 * Takes the frames of streams apart and gives them to their stream; rules S-1 to S-11. A frame
 * about a peer's own stream counts as not received before the stream's opening has come. Each
 * worker has a reader, on the worker's thread; does not allocate but for the text of a close.
 */
public final class StreamReader {
  private final StreamDataDecoder data = new StreamDataDecoder();
  private final StreamCreditDecoder credit = new StreamCreditDecoder();
  private final StreamCloseDecoder close = new StreamCloseDecoder();
  private final StreamCloseAckDecoder closeAck = new StreamCloseAckDecoder();
  private final SegmentPlace place = new SegmentPlace();

  /**
   * Reads the frame of this template between {@code at} and {@code end}.
   *
   * @return false if the frame must count as not received
   */
  public boolean read(PathStreams streams, SegmentBuffer buffer, int at, int end, int template) {
    return switch (template) {
      case StreamDataDecoder.TEMPLATE_ID -> readData(streams, buffer, at, end);
      case StreamCreditDecoder.TEMPLATE_ID -> readCredit(streams, buffer, at, end);
      case StreamCloseDecoder.TEMPLATE_ID -> readClose(streams, buffer, at, end);
      default -> readCloseAck(streams, buffer, at, end);
    };
  }

  private boolean readData(PathStreams streams, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, StreamDataDecoder.BLOCK_LENGTH);
    int group = body(at) + block;
    int lengths =
        requireGroup(buffer, group, end, StreamDataDecoder.LengthsDecoder.sbeBlockLength());
    int dataAt = group + FrameCheck.HEADER_LENGTH + lengths;
    int length = requireData(buffer, dataAt, end);
    data.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    boolean isOpener = (data.flags() & StreamFrame.RESPONSE) != 0;
    PathStream stream = streams.find(data.transferId(), isOpener);
    if (stream == null) {
      return isOver(streams, data.transferId(), isOpener);
    }
    int stride = buffer.getByte(group) & 0xFF;
    int count = buffer.getByte(group + 1) & 0xFF;
    place.set(buffer, group + FrameCheck.HEADER_LENGTH, stride, count);
    place.elements(dataAt + FrameCheck.HEADER_LENGTH, length);
    stream.onData(data.segment(), data.element(), data.flags(), buffer, place);
    return true;
  }

  private boolean readCredit(PathStreams streams, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, StreamCreditDecoder.BLOCK_LENGTH);
    credit.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    boolean isOpener = (credit.flags() & StreamFrame.RESPONSE) == 0;
    PathStream stream = streams.find(credit.transferId(), isOpener);
    if (stream == null) {
      return isOver(streams, credit.transferId(), isOpener);
    }
    if (credit.elements() < 0 || credit.bytes() < 0) {
      throw new ProtocolViolationException("a stream's credit is negative");
    }
    stream.onCredit(credit.elements(), credit.bytes());
    return true;
  }

  private boolean readClose(PathStreams streams, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, StreamCloseDecoder.BLOCK_LENGTH);
    int textAt = body(at) + block;
    int textLength = requireData(buffer, textAt, end);
    close.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    long id = close.transferId();
    boolean isResponse = (close.flags() & StreamFrame.RESPONSE) != 0;
    boolean fromSender = (close.flags() & StreamFrame.FROM_SENDER) != 0;
    boolean isOpener = isResponse == fromSender;
    PathStream stream = streams.find(id, isOpener);
    if (stream == null) {
      return isOver(streams, id, isOpener)
          && (!fromSender || readCloseAgain(streams, id, isResponse));
    }
    CallStatus status = statusOf(close.statusRaw());
    String text = PeerText.of(buffer, textAt + FrameCheck.HEADER_LENGTH, textLength);
    if (fromSender) {
      stream.onClosed(status, close.segments(), close.costBytes(), text);
    } else {
      stream.onCancelled(status, text);
    }
    return true;
  }

  /** The sender of a flow closed the flow, and this side has no such stream. */
  private boolean readCloseAgain(PathStreams streams, long transferId, boolean isResponse) {
    if (!streams.acknowledgeAgain(transferId, isResponse)) {
      return false;
    }
    if (!isResponse) {
      streams.onCloseWithoutStream(transferId, close.costBytes());
    }
    return true;
  }

  private boolean readCloseAck(PathStreams streams, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, StreamCloseAckDecoder.BLOCK_LENGTH);
    closeAck.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    boolean isOpener = (closeAck.flags() & StreamFrame.RESPONSE) == 0;
    PathStream stream = streams.find(closeAck.transferId(), isOpener);
    if (stream == null) {
      return isOver(streams, closeAck.transferId(), isOpener);
    }
    stream.onCloseAck();
    return true;
  }

  /**
   * No such stream: the stream is over, unless the peer opened the stream and the opening is still
   * on the way.
   */
  private static boolean isOver(PathStreams streams, long transferId, boolean isOpener) {
    return isOpener || !streams.isEarly(transferId);
  }

  private static CallStatus statusOf(int raw) {
    CallOutcomes.of(raw);
    return CallStatus.get((short) raw);
  }
}
