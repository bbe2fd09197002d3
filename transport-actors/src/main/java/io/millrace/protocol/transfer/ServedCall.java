package io.millrace.protocol.transfer;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.InlineResponseEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A unary call on the receiver's side: the response is kept until the initiator has the response;
 * rules T-5 to T-7. Pooled by {@link ServedCalls} and used again for other calls; owned by the
 * path's worker. The call's buffers grow to the largest message that they held, then nothing is
 * allocated. {@link ServedPhase} is the table of a served call.
 */
public final class ServedCall extends OutboundFrame implements ServedEntry {
  /** The block without the time after which another try may go well. */
  private static final int SHORT_BLOCK = InlineResponseEncoder.retryAfterMsEncodingOffset();

  private static final int FIXED_LENGTH =
      FrameHeaderEncoder.ENCODED_LENGTH
          + SHORT_BLOCK
          + InlineResponseEncoder.headersHeaderLength()
          + InlineResponseEncoder.payloadHeaderLength();
  private static final int STATUS_OFFSET = FrameHeaderEncoder.ENCODED_LENGTH + 8;

  /** The answer goes by the grant in its request; rule C-10. */
  private static final byte BY_GRANT = 1;

  private static final int RETRY_AFTER_OFFSET = FrameHeaderEncoder.ENCODED_LENGTH + SHORT_BLOCK;
  private static final SegmentBuffer NO_RESPONSE = new SegmentBuffer(new byte[0]);
  private static final int KEPT_BYTES = 64 << 10;

  // A single byte of each call, because calls are many.
  private static final ServedPhase[] PHASES = ServedPhase.values();
  private static final byte FREE = (byte) ServedPhase.FREE.ordinal();
  private static final byte EXECUTING = (byte) ServedPhase.EXECUTING.ordinal();
  private static final byte ANSWERED = (byte) ServedPhase.ANSWERED.ordinal();
  private static final byte DELIVERED = (byte) ServedPhase.DELIVERED.ordinal();

  /** The response: headers, then payload. */
  private SegmentBuffer response = NO_RESPONSE;

  private long transferId;
  private byte priority;
  private byte status;
  private byte phase = FREE;
  private boolean isCausal;
  private int headersLength;
  private int payloadLength;
  private int keptBytes;
  private int retryAfterMs;
  private @Nullable ServedWork work;
  private @Nullable Owner owner;

  /** The path or table that serves the call. On the worker's thread. */
  public interface Owner {
    /** The answer left its queue unsent: the caller has the answer, or wants no answer. */
    void onAnswerDropped(ServedCall call);

    /**
     * A call that other calls may wait for was answered, well or not, or never will be answered.
     */
    void onCausalAnswered(long transferId, boolean isWell);

    /** The answer left its queue unsent: the path carries no frame of this length any more. */
    void onAnswerUnsendable(ServedCall call);
  }

  ServedCall() {}

  /** The phase of the call. */
  public ServedPhase phase() {
    return PHASES[phase];
  }

  /** Begins a new call. */
  void start(long transferId, int priority, Owner owner) {
    move(ServedPhase.Event.START);
    this.owner = owner;
    this.transferId = transferId;
    this.priority = (byte) priority;
    isCausal = false;
    setCharged(false);
    granted(false);
  }

  /** The answer cannot be sent; another answer is to follow. */
  public void withdrawAnswer() {
    move(ServedPhase.Event.WITHDRAW);
  }

  private void move(ServedPhase.Event event) {
    ServedPhase next = PHASES[phase].after(event);
    if (next == null) {
      throw new IllegalStateException(
          "served call " + Long.toHexString(transferId) + ": " + event + " while " + phase());
    }
    phase = (byte) next.ordinal();
  }

  /** The id that the initiator gave. */
  public long transferId() {
    return transferId;
  }

  /** Other calls may wait for this call. */
  public void causal() {
    isCausal = true;
  }

  boolean isCausal() {
    return isCausal;
  }

  /** Another object stands for the executing call, which this object is no longer. */
  void park() {
    isCausal = false;
    work = null;
    move(ServedPhase.Event.RELEASE);
  }

  /**
   * Tells the waiting calls, once: the answer's frame is queued, or the answer's body has arrived,
   * or failed.
   */
  public void tellAnswered(boolean isDelivered) {
    if (isCausal) {
      isCausal = false;
      owner().onCausalAnswered(transferId, isDelivered && status == 0);
    }
  }

  /**
   * Sets the work on the call, which is told if nobody waits for the answer before the answer
   * exists.
   */
  public void work(@Nullable ServedWork work) {
    this.work = work;
  }

  /** Sets whether the caller bounds unasked data, answers included; rule C-8. */
  public void setCosting(boolean costing) {
    costing(costing);
  }

  /** Lets the answer go by the grant of its request, and not by credit; rule C-10. */
  public void goByGrant() {
    granted(true);
  }

  /**
   * Rule C-1: the opener of the call has room for the answer, unless the opener said otherwise;
   * rule C-8.
   */
  @Override
  public int costBytes() {
    return isCosting() && !isGranted() && status == 0
        ? InlineCost.ofAnswer(headersLength, payloadLength)
        : 0;
  }

  /**
   * A caller with credit to give announces credit early, so an answer that takes credit waits not.
   */
  @Override
  public boolean isAwaited() {
    return costBytes() == 0;
  }

  @Override
  public int contentLength() {
    return headersLength + payloadLength;
  }

  /** Whether the response is present. */
  public boolean isAnswered() {
    return phase == ANSWERED || phase == DELIVERED;
  }

  /**
   * Sets the status and makes room for a response of these lengths, to be written by the caller
   * into {@link #response()}: headers first, the payload behind.
   *
   * @throws IllegalStateException if the call was answered already, or given up
   */
  public void answer(int status, int headersLength, int payloadLength) {
    move(ServedPhase.Event.ANSWER);
    work = null;
    this.status = (byte) status;
    this.headersLength = headersLength;
    this.payloadLength = payloadLength;
    retryAfterMs = 0;
    makeRoom(headersLength + payloadLength);
  }

  /**
   * Tells the caller of a refused call the time after which another try may go well; rule C-11.
   *
   * @param afterMs 0 if unknown
   */
  public void retryAfter(int afterMs) {
    retryAfterMs = afterMs;
  }

  private int blockLength() {
    return retryAfterMs == 0 ? SHORT_BLOCK : InlineResponseEncoder.BLOCK_LENGTH;
  }

  /** The first response allocates the memory: a call that waits for its answer has no memory. */
  private void makeRoom(int bytes) {
    int held = response.capacity();
    if (bytes > held) {
      response = new SegmentBuffer(new byte[Math.max(bytes, held + (held >> 1))]);
    }
  }

  /** Copies a whole payload as the answer, without headers. */
  public void answer(int status, DirectBuffer source, int offset, int length) {
    answer(status, 0, length);
    response.putBytes(0, source, offset, length);
  }

  /** Memory of the response: headers, then payload. */
  public MutableDirectBuffer response() {
    return response;
  }

  /** A copy of the response's headers. */
  public byte[] headersCopy() {
    byte[] headers = new byte[headersLength];
    response.getBytes(0, headers);
    return headers;
  }

  /** A copy of the response's payload, which goes another way; large memory is let go. */
  public byte[] takePayload() {
    byte[] payload = new byte[payloadLength];
    response.getBytes(headersLength, payload);
    headersLength = 0;
    payloadLength = 0;
    if (response.capacity() > KEPT_BYTES) {
      response = NO_RESPONSE;
    }
    return payload;
  }

  /** The bytes of the answer in its worker's {@link AnswerMemory}. */
  int keptBytes() {
    return keptBytes;
  }

  void keep(int bytes) {
    keptBytes = bytes;
  }

  /** The initiator has the response, or wants no response. */
  void release() {
    move(ServedPhase.Event.RELEASE);
    tellAnswered(false);
    abandon();
  }

  /** Nobody waits for the response any more: the executing work is told. */
  void abandon() {
    ServedWork abandoned = work;
    if (abandoned != null) {
      work = null;
      abandoned.onAbandoned();
    }
  }

  /** Nobody holds the call any more: the object may be used for another call. */
  void recycle() {
    move(ServedPhase.Event.RECYCLE);
    owner = null;
  }

  private Owner owner() {
    Owner present = owner;
    if (present == null) {
      throw new IllegalStateException("nobody serves the call");
    }
    return present;
  }

  @Override
  public void onObsolete() {
    owner().onAnswerDropped(this);
  }

  @Override
  public void onUnsendable() {
    owner().onAnswerUnsendable(this);
  }

  @Override
  public boolean isObsolete() {
    return phase != EXECUTING && phase != ANSWERED;
  }

  /** The peer may have the frame, so the message cannot go as a body any more. */
  @Override
  public boolean keepsForm() {
    return isCharged();
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public int encodedLength() {
    return FIXED_LENGTH - SHORT_BLOCK + blockLength() + headersLength + payloadLength;
  }

  @Override
  public long item() {
    return TransferItem.of(KIND_RESPONSE, transferId);
  }

  @Override
  public void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer, offset, encodedLength(), blockLength(), InlineResponseEncoder.TEMPLATE_ID);
    buffer.putLong(offset + FrameHeaderEncoder.ENCODED_LENGTH, transferId, ByteOrder.LITTLE_ENDIAN);
    buffer.putByte(offset + STATUS_OFFSET, status);
    buffer.putByte(offset + STATUS_OFFSET + 1, isGranted() ? BY_GRANT : 0);
    if (retryAfterMs != 0) {
      buffer.putInt(offset + RETRY_AFTER_OFFSET, retryAfterMs, ByteOrder.LITTLE_ENDIAN);
    }
    int at = offset + FrameHeaderEncoder.ENCODED_LENGTH + blockLength();
    buffer.putShort(at, (short) headersLength, ByteOrder.LITTLE_ENDIAN);
    buffer.putBytes(at + 2, response, 0, headersLength);
    at += 2 + headersLength;
    buffer.putShort(at, (short) payloadLength, ByteOrder.LITTLE_ENDIAN);
    buffer.putBytes(at + 2, response, headersLength, payloadLength);
  }

  /** Whether an answer with these flags went by the grant in its request; rule C-10. */
  public static boolean isByGrant(int flags) {
    return (flags & BY_GRANT) != 0;
  }

  /** Encoded length of a response with this many bytes of headers and payload together. */
  public static int encodedLength(int contentLength) {
    return FIXED_LENGTH + contentLength;
  }
}
