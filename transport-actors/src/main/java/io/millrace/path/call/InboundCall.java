package io.millrace.path.call;

import io.millrace.access.admission.Caller;
import io.millrace.ends.RequestBudget;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.causality.SlotToken;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.wire.codec.CallStatus;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request as a handler on the worker's thread sees the request at its arrival. Each worker has
 * one object, used again for each request; valid during {@link InboundHandler#onCall} only. Does
 * not allocate.
 */
public final class InboundCall {
  /** The reason for refusing a call whose answer would wait with too many other answers. */
  static final String ANSWERS_WAIT = "too many answers wait for their caller";

  private static final SegmentBuffer NOTHING = new SegmentBuffer(new byte[0]);

  /** The owner of the answers to the calls of one path. On the worker's thread. */
  interface Answering {
    /** The caller; for any thread. */
    Caller caller();

    /** Whether a response of these lengths fits a message. */
    boolean canAnswer(int headersLength, int payloadLength);

    /** Sets the answer for a response of lengths beyond the limits; does not queue the answer. */
    void answerTooLarge(ServedCall call, int headersLength, int payloadLength);

    /** Sets the answer for a refused call; does not queue the answer. */
    void refuse(ServedCall call, String text);

    /** The handler and the caller of a call. On the worker's thread, but for no handler. */
    DeferredAnswer.Parties parties(@Nullable DeferredHandler handler);

    /** Takes a call out of the worker's hands. */
    DeferredCall defer(ServedCall call, InboundCall inbound);

    /**
     * Whether the answers waiting here, and the answers on their way from handlers, leave room for
     * another answer to a peer with this share. Any thread; a moment's view.
     */
    boolean canExecute(RequestBudget.Share share);

    /**
     * The call in place of its work, to be answered; null if nobody waits for the answer. Also on
     * an ended path, for the object of the work is about to serve another call.
     */
    @Nullable ServedCall resume(DeferredCall work);

    /**
     * The executor has answered the call of a present path; null if nobody waits for the answer.
     */
    void onDeferredAnswer(@Nullable ServedCall call, DeferredCall.Answer answer);

    /** Whether the wait for answers is over. */
    boolean isOver();

    /** The handling of an answer threw. */
    void onFault(Throwable fault);
  }

  private @Nullable Answering answering;
  private @Nullable ServedCall served;
  private DirectBuffer buffer = NOTHING;
  private int headersOffset;
  private int headersLength;
  private int payloadOffset;
  private int payloadLength;
  private boolean isScreened;
  private @Nullable SlotToken token;

  /** The memory set aside for the request before the handling; 0 without such memory. */
  private long heldBytes;

  void start(Answering answering, ServedCall served, DirectBuffer buffer) {
    this.answering = answering;
    this.served = served;
    this.buffer = buffer;
  }

  /** Another request begins: nothing is left of the request before. */
  void show(int headersOffset, int headersLength, int payloadOffset, int payloadLength) {
    finish();
    headers(headersOffset, headersLength);
    this.payloadOffset = payloadOffset;
    this.payloadLength = payloadLength;
  }

  /** The application's part of the headers of the request shown. */
  void headers(int offset, int length) {
    headersOffset = offset;
    headersLength = length;
  }

  /** The headers have passed the handler's screen. */
  void screened() {
    isScreened = true;
  }

  /** Sets the memory set aside for the request. */
  void held(long bytes) {
    heldBytes = bytes;
  }

  /** Passes on the memory set aside for the request; 0 without such memory. */
  long takeHeld() {
    long taken = heldBytes;
    heldBytes = 0;
    return taken;
  }

  /** The token of the call at this node, or null. */
  void token(@Nullable SlotToken named) {
    token = named;
  }

  /** The token of the call at this node; null if the caller wants no token. */
  public @Nullable SlotToken token() {
    return token;
  }

  /** The request is over; nothing is left of the request. */
  void finish() {
    assert heldBytes == 0 : heldBytes;
    isScreened = false;
    token = null;
    answering = null;
    served = null;
    buffer = NOTHING;
    headersOffset = 0;
    headersLength = 0;
    payloadOffset = 0;
    payloadLength = 0;
  }

  /** The caller. */
  public Caller caller() {
    return answering().caller();
  }

  /** The priority of the call, 0 to 7. */
  public int priority() {
    return served().priority();
  }

  /** Memory of headers and payload. */
  public DirectBuffer buffer() {
    return buffer;
  }

  /** First byte of the headers. */
  public int headersOffset() {
    return headersOffset;
  }

  /** Bytes of headers. */
  public int headersLength() {
    return headersLength;
  }

  /** First byte of the payload. */
  public int payloadOffset() {
    return payloadOffset;
  }

  /** Bytes of payload. */
  public int payloadLength() {
    return payloadLength;
  }

  /** Whether the request came as a body whose headers have passed the handler's screen. */
  public boolean isScreened() {
    return isScreened;
  }

  /** Whether an answer was given. */
  public boolean isAnswered() {
    return served().isAnswered();
  }

  /**
   * Answers with a copy of these bytes; a response beyond the limit becomes {@code
   * RESPONSE_TOO_LARGE}.
   */
  public void reply(DirectBuffer source, int offset, int length) {
    if (answering().canAnswer(0, length)) {
      served().answer(CallStatus.OK.value(), source, offset, length);
    } else {
      answering().answerTooLarge(served(), 0, length);
    }
  }

  /**
   * Answers with bytes to be written by the caller into the memory returned.
   *
   * @throws IllegalArgumentException if the bytes would not fit a message; the answer is {@code
   *     RESPONSE_TOO_LARGE} then
   */
  public MutableDirectBuffer reply(int headersLength, int payloadLength) {
    if (!answering().canAnswer(headersLength, payloadLength)) {
      answering().answerTooLarge(served(), headersLength, payloadLength);
      throw new IllegalArgumentException(
          "a response of " + (headersLength + payloadLength) + " bytes does not fit a message");
    }
    served().answer(CallStatus.OK.value(), headersLength, payloadLength);
    return served().response();
  }

  /** Answers that the handler refuses the call. */
  public void refuse(String text) {
    answering().refuse(served(), text);
  }

  /**
   * Takes the call out of the worker's hands: the new owner answers later through {@link
   * DeferredCall#answer}.
   */
  public DeferredCall defer() {
    DeferredCall taken = answering().defer(served(), this);
    served = null;
    return taken;
  }

  private Answering answering() {
    Answering current = answering;
    if (current == null) {
      throw new IllegalStateException("the call is over");
    }
    return current;
  }

  private ServedCall served() {
    ServedCall current = served;
    if (current == null) {
      throw new IllegalStateException("the call is over");
    }
    return current;
  }
}
