package io.millrace.protocol.transfer;

import io.millrace.protocol.congestion.AnswerSchedule;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.FrameStart;
import io.millrace.wire.codec.FrameHeaderEncoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A unary call on the initiator's side, from submission to outcome; rules T-2 to T-4. Made by the
 * caller's thread, owned by the path's worker once submitted. The request's bytes belong to the
 * call until its outcome. Exactly one of {@link #onResponse} and {@link #onFailure} is called,
 * once. {@link CallPhase} is the table of a call.
 */
public abstract class OutboundCall extends OutboundFrame {
  private static final byte[] NO_BYTES = {};
  private static final int FIXED_LENGTH =
      FrameHeaderEncoder.ENCODED_LENGTH
          + InlineRequestEncoder.answerBytesEncodingOffset()
          + InlineRequestEncoder.headersHeaderLength()
          + InlineRequestEncoder.payloadHeaderLength();
  private static final int ROUTE_OFFSET = FrameHeaderEncoder.ENCODED_LENGTH + 8;
  private static final int PRIORITY_OFFSET = FrameHeaderEncoder.ENCODED_LENGTH + 16;

  /** The block of a request without a grant for the answer. */
  private static final int SHORT_BLOCK = InlineRequestEncoder.answerBytesEncodingOffset();

  /** Bytes of a request's frame for the grant of an answer. */
  public static final int GRANT_LENGTH = InlineRequestEncoder.BLOCK_LENGTH - SHORT_BLOCK;

  private static final int GRANT_OFFSET = FrameHeaderEncoder.ENCODED_LENGTH + SHORT_BLOCK;

  private static final CallPhase[] PHASES = CallPhase.values();
  private static final byte NEW = (byte) CallPhase.NEW.ordinal();
  private static final byte OPEN = (byte) CallPhase.OPEN.ordinal();
  private static final byte GIVEN_UP = (byte) CallPhase.GIVEN_UP.ordinal();
  private static final byte REFUSED = (byte) CallPhase.REFUSED.ordinal();
  private static final byte SETTLED = (byte) CallPhase.SETTLED.ordinal();
  private static final byte ENDED = (byte) CallPhase.ENDED.ordinal();

  private long route;
  private byte[] headers;
  private byte[] payload;
  private long transferId;

  /** Bytes that the answer may have unasked, with the time for these bytes; rule C-10. */
  private AnswerSchedule.@Nullable Promise promise;

  // Priorities, phase and length of the block take a single byte each, because calls are many.
  private byte wantedPriority;
  private byte priority;
  private byte phase = NEW;

  /** Has room for a grant from the opening on, even after the promise was taken away. */
  private byte blockLength = (byte) SHORT_BLOCK;

  /** A call of {@code route} with these bytes, which stay untouched until the call has ended. */
  protected OutboundCall(long route, int priority, byte[] headers, byte[] payload) {
    requireLevel(priority);
    this.route = route;
    wantedPriority = (byte) priority;
    this.priority = (byte) priority;
    this.headers = headers;
    this.payload = payload;
  }

  /**
   * Makes an ended call, known to nobody else, a new call of {@code route} with these bytes.
   *
   * @throws IllegalStateException if the call is queued or has not ended
   */
  protected final void renew(long route, int priority, byte[] headers, byte[] payload) {
    if (phase != ENDED) {
      throw new IllegalStateException("call " + Long.toHexString(transferId) + " is " + phase());
    }
    requireLevel(priority);
    renewFrame();
    this.route = route;
    wantedPriority = (byte) priority;
    this.priority = (byte) priority;
    this.headers = headers;
    this.payload = payload;
    transferId = 0;
    promise = null;
    blockLength = (byte) SHORT_BLOCK;
    phase = NEW;
  }

  /** Keeps no bytes of the caller; for an ended call. */
  protected final void dropBytes() {
    headers = NO_BYTES;
    payload = NO_BYTES;
  }

  private static void requireLevel(int priority) {
    if (priority < 0 || priority >= FrameQueue.LEVELS) {
      throw new IllegalArgumentException("priority " + priority + " is not within 0 to 7");
    }
  }

  /**
   * The answer arrived. Called on the worker's thread; the bytes are valid during the call only.
   *
   * @param outcome {@link CallOutcome#OK} or the failure that the peer tells; then the payload is a
   *     text in UTF-8
   */
  public abstract void onResponse(
      CallOutcome outcome,
      DirectBuffer buffer,
      int headersOffset,
      int headersLength,
      int payloadOffset,
      int payloadLength);

  /** The call ended without an answer. Called on the worker's or the submitting thread. */
  public abstract void onFailure(CallOutcome outcome, String text);

  /** The call ends without an answer that this table knows of; says so once. */
  protected void onAborted(CallOutcome outcome, String text) {
    onFailure(outcome, text);
  }

  /** 0 unary, 1 to 3 a stream, 4 bulk. */
  public int pattern() {
    return 0;
  }

  /** Bits beside the pattern in the call's frame. */
  protected int patternFlags() {
    return 0;
  }

  /**
   * Makes the call less urgent by this number of levels than the caller says; before a path has
   * taken the call.
   */
  public final void demote(int levels) {
    priority = (byte) Math.min(FrameQueue.LEVELS - 1, wantedPriority + levels);
  }

  /** The route's id. */
  public final long route() {
    return route;
  }

  /** The headers. */
  protected final byte[] headers() {
    return headers;
  }

  /** Sets other headers; not while the call is queued. */
  protected final void headers(byte[] replaced) {
    headers = replaced;
  }

  /** The payload's array. */
  protected final byte[] payload() {
    return payload;
  }

  /** The id; 0 before the call has a slot. */
  public final long transferId() {
    return transferId;
  }

  /** The phase of the call. */
  public final CallPhase phase() {
    return PHASES[phase];
  }

  final void begin() {
    move(CallPhase.Event.OPEN);
  }

  final void assign(long transferId) {
    this.transferId = transferId;
  }

  @Override
  public final int contentLength() {
    return headers.length + payload.length;
  }

  @Override
  public final int costBytes() {
    return InlineCost.of(headers.length, payload.length);
  }

  /** The peer has the request; the request need not be sent again. */
  public final void onAcknowledged() {
    move(CallPhase.Event.ACKNOWLEDGE);
  }

  /**
   * The worker knows of the call, and the call has not ended; happens more than once to a call that
   * waits in several places.
   */
  protected final void know() {
    move(CallPhase.Event.KNOW);
  }

  /** Whether the worker knows of the call, or did before the call's end. */
  protected final boolean isKnown() {
    return phase != NEW && phase != REFUSED;
  }

  /** Whether the caller was told of the end before the peer had answered. */
  public final boolean isGivenUp() {
    return phase == GIVEN_UP || phase == SETTLED;
  }

  /**
   * Whether the outcome is decided; sure only on the worker's thread and after the caller was told.
   */
  public final boolean isDecided() {
    return phase >= GIVEN_UP;
  }

  final void giveUp() {
    move(CallPhase.Event.GIVE_UP);
  }

  /**
   * The outcome is decided: no timer of the call may fire any more. Once, before the caller is
   * told.
   */
  protected void onDecided() {}

  /**
   * Ends the call with this outcome, because no path will take the call. On the worker's or the
   * submitting thread.
   */
  public final void refuse(CallOutcome outcome, String text) {
    move(CallPhase.Event.END);
    try {
      onOutcome(outcome);
    } finally {
      onFailure(outcome, text);
    }
  }

  /**
   * Decides this outcome for a call that no path will take; nobody has been told of the outcome.
   */
  protected final void decide(CallOutcome outcome) {
    move(CallPhase.Event.END);
    onOutcome(outcome);
  }

  final void end() {
    move(CallPhase.Event.END);
    onSlotFreed();
  }

  /** The outcome, as far as other calls depend on the call; the first time counts. */
  public void onOutcome(CallOutcome outcome) {}

  /** The slot may become another call's: the peer has done with this call. */
  protected void onSlotFreed() {}

  private void move(CallPhase.Event event) {
    CallPhase next = phase().after(event);
    if (next == null) {
      throw new IllegalStateException(
          "call " + Long.toHexString(transferId) + ": " + event + " while " + phase());
    }
    boolean wasDecided = isDecided();
    phase = (byte) next.ordinal();
    if (!wasDecided && isDecided()) {
      onDecided();
    }
  }

  @Override
  public final boolean isObsolete() {
    return phase > OPEN;
  }

  /** The peer may have the frame, so the message cannot go as a body any more. */
  @Override
  public final boolean keepsForm() {
    return isCharged();
  }

  /** The level at which the call is sent, which may be less urgent than the caller wants. */
  @Override
  public final int priority() {
    return priority;
  }

  /** The urgency that the caller wants, and that the peer is told. */
  public final int wantedPriority() {
    return wantedPriority;
  }

  /** The grant for the answer; null for none. */
  public final AnswerSchedule.@Nullable Promise promise() {
    return promise;
  }

  /**
   * Sets the grant for the answer; not while the call is queued. The request is longer by {@value
   * #GRANT_LENGTH} bytes from now on, with or without a promise.
   */
  public final void promise(AnswerSchedule.Promise given) {
    promise = given;
    blockLength = (byte) (SHORT_BLOCK + GRANT_LENGTH);
  }

  /** Takes the grant for the answer away; the length of the request stays. */
  public final void dropPromise() {
    promise = null;
  }

  @Override
  public final int encodedLength() {
    return FIXED_LENGTH - SHORT_BLOCK + blockLength + headers.length + payload.length;
  }

  @Override
  public final long item() {
    return TransferItem.of(KIND_REQUEST, transferId);
  }

  @Override
  public final void encode(MutableDirectBuffer buffer, int offset) {
    FrameStart.encode(
        buffer, offset, encodedLength(), blockLength, InlineRequestEncoder.TEMPLATE_ID);
    buffer.putLong(offset + FrameHeaderEncoder.ENCODED_LENGTH, transferId, ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(offset + ROUTE_OFFSET, route, ByteOrder.LITTLE_ENDIAN);
    buffer.putByte(offset + PRIORITY_OFFSET, wantedPriority);
    buffer.putByte(offset + PRIORITY_OFFSET + 1, (byte) (pattern() | patternFlags()));
    int at = offset + GRANT_OFFSET;
    AnswerSchedule.Promise given = promise;
    if (given != null) {
      buffer.putShort(at, (short) given.toldBytes(), ByteOrder.LITTLE_ENDIAN);
      buffer.putShort(at + 2, (short) given.withinUs(), ByteOrder.LITTLE_ENDIAN);
      buffer.putInt(at + 4, (int) given.delayUs(), ByteOrder.LITTLE_ENDIAN);
    } else if (blockLength > SHORT_BLOCK) {
      buffer.putLong(at, 0);
    }
    at += blockLength - SHORT_BLOCK;
    buffer.putShort(at, (short) headers.length, ByteOrder.LITTLE_ENDIAN);
    buffer.putBytes(at + 2, headers);
    at += 2 + headers.length;
    buffer.putShort(at, (short) payload.length, ByteOrder.LITTLE_ENDIAN);
    buffer.putBytes(at + 2, payload);
  }

  /** Encoded length of a request with this many bytes of headers and payload together. */
  public static int encodedLength(int contentLength) {
    return FIXED_LENGTH + contentLength;
  }
}
