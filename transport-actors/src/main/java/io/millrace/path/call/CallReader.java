package io.millrace.path.call;

import static io.millrace.path.packet.FrameCheck.body;
import static io.millrace.path.packet.FrameCheck.requireBlock;
import static io.millrace.path.packet.FrameCheck.requireData;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.FrameCheck;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PeerText;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.FlowResetDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.ResetReason;
import java.util.Arrays;

/**
 * Takes the frames of calls apart and gives them to the calls of their path; rules T-1 to T-9. Each
 * worker has a reader, on the worker's thread; does not allocate but for the text of a reset.
 */
public final class CallReader {
  private static final int LOWEST_PRIORITY = 7;

  /** The length of a reset without the inline credit taken by the request. */
  private static final int SHORTEST_RESET = FlowResetDecoder.costBytesEncodingOffset();

  /** The length of a request without a grant for its answer. */
  private static final int SHORTEST_REQUEST = InlineRequestDecoder.answerBytesEncodingOffset();

  private static final int HIGHEST_REASON =
      Arrays.stream(ResetReason.values())
          .filter(reason -> reason != ResetReason.NULL_VAL)
          .mapToInt(ResetReason::value)
          .max()
          .orElseThrow();

  private final InboundCall inbound;
  private final InlineRequestDecoder request = new InlineRequestDecoder();
  private final InlineResponseDecoder response = new InlineResponseDecoder();
  private final FlowResetDecoder reset = new FlowResetDecoder();

  /** The reader of this worker. */
  public CallReader(WorkerCalls worker) {
    inbound = worker.inbound();
  }

  /** Reads an InlineRequest. */
  public void readRequest(PathCalls calls, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, SHORTEST_REQUEST);
    request.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int headersAt = body(at) + block;
    int headersLength = requireData(buffer, headersAt, end);
    int payloadAt = headersAt + 2 + headersLength;
    int payloadLength = requireData(buffer, payloadAt, end);
    int priority = request.priority();
    if (priority > LOWEST_PRIORITY) {
      throw new ProtocolViolationException("priority " + priority + " is not within 0 to 7");
    }
    inbound.show(headersAt + 2, headersLength, payloadAt + 2, payloadLength);
    if (block >= InlineRequestDecoder.BLOCK_LENGTH) {
      calls
          .serving()
          .grants()
          .onGrant(
              request.transferId(),
              request.answerBytes(),
              request.answerDelayUs(),
              request.answerWithinUs());
    }
    calls
        .serving()
        .onRequest(request.transferId(), request.route(), priority, request.pattern(), buffer);
  }

  /** Reads an InlineResponse. */
  public void readResponse(PathCalls calls, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, InlineResponseDecoder.BLOCK_LENGTH);
    response.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    int headersAt = body(at) + block;
    int headersLength = requireData(buffer, headersAt, end);
    int payloadAt = headersAt + 2 + headersLength;
    requireData(buffer, payloadAt, end);
    calls.onResponse(
        response.transferId(),
        response.statusRaw(),
        ServedCall.isByGrant(response.flags()),
        buffer,
        headersAt,
        payloadAt);
  }

  /** Reads a FlowReset. */
  public void readReset(PathCalls calls, SegmentBuffer buffer, int at, int end) {
    int block = requireBlock(buffer, at, end, SHORTEST_RESET);
    int textAt = body(at) + block;
    int textLength = requireData(buffer, textAt, end);
    reset.wrap(buffer, body(at), block, FrameStart.version(buffer, at));
    if (reset.reasonRaw() > HIGHEST_REASON) {
      throw new ProtocolViolationException("a transfer ends for reason " + reset.reasonRaw());
    }
    String text = PeerText.of(buffer, textAt + FrameCheck.HEADER_LENGTH, textLength);
    if ((reset.flags() & WriteFlags.ANSWERS_CHALLENGE) != 0) {
      calls.challenges().onReset(reset.transferId());
      return;
    }
    if (reset.flags() == WriteFlags.FROM_SENDER
        && reset.reasonRaw() == ResetReason.CANCELLED.value()) {
      long cost = block < FlowResetDecoder.numberEncodingOffset() ? 0 : reset.costBytes();
      long number = block < FlowResetDecoder.BLOCK_LENGTH ? 0 : reset.number();
      calls.serving().onGivenUp(reset.transferId(), cost, number, text);
    } else {
      calls.bodies().onReset(reset.transferId(), reset.flags(), reset.reasonRaw(), text);
    }
  }
}
