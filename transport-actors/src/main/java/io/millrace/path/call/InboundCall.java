package io.millrace.path.call;

import io.millrace.access.admission.Caller;
import io.millrace.ends.RequestBudget;
import io.millrace.path.causality.SlotToken;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.Protection;
import io.millrace.wire.codec.CallStatus;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request that just arrived, as a handler on the worker's thread sees it. One a worker, used
 * again for each request; valid during {@link InboundHandler#onCall} only. Does not allocate.
 */
public final class InboundCall {
  /** Why a call is refused whose answer would wait with too many others. */
  static final String ANSWERS_WAIT = "too many answers wait for their caller";

  private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

  /** Whoever answers for the calls of one path. On the worker's thread. */
  interface Answering {
    /** The caller; any thread. */
    Caller caller();

    /** Whether a response of these lengths fits a message. */
    boolean canAnswer(int headersLength, int payloadLength);

    /** Sets the answer that a response of these lengths does not fit; does not queue it. */
    void answerTooLarge(ServedCall call, int headersLength, int payloadLength);

    /** Sets the answer that a call is not wanted; does not queue it. */
    void refuse(ServedCall call, String text);

    /** Takes a call out of the worker's hands. */
    DeferredCall defer(ServedCall call, InboundCall inbound);

    /**
     * Whether answers that wait, here and on their way from handlers, leave room for one more to a
     * peer with this share; any thread, as it was a moment ago.
     */
    boolean canExecute(RequestBudget.Share share);

    /** The executor has answered. */
    void onDeferredAnswer(ServedCall call, CallStatus status, byte[] headers, byte[] payload);

    /** The executor has answered with bytes that come from a source. */
    void onDeferredSource(
        ServedCall call, byte[] headers, BodySource source, Protection protection);

    /** Whether nobody waits for answers any more. */
    boolean isOver();

    /** Handling an answer threw. */
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

  /** Memory set aside for the request, if it was before it is handled. */
  private long heldBytes;

  void start(Answering answering, ServedCall served, DirectBuffer buffer) {
    this.answering = answering;
    this.served = served;
    this.buffer = buffer;
  }

  /** Another request begins: nothing is left of the one before. */
  void show(int headersOffset, int headersLength, int payloadOffset, int payloadLength) {
    finish();
    headers(headersOffset, headersLength);
    this.payloadOffset = payloadOffset;
    this.payloadLength = payloadLength;
  }

  /** The application's part of the headers of the request that it shows. */
  void headers(int offset, int length) {
    headersOffset = offset;
    headersLength = length;
  }

  /** The headers have passed the handler's screen. */
  void screened() {
    isScreened = true;
  }

  /** So much memory is set aside for the request. */
  void held(long bytes) {
    heldBytes = bytes;
  }

  /** Passes the memory on that is set aside for the request; 0 if none is. */
  long takeHeld() {
    long taken = heldBytes;
    heldBytes = 0;
    return taken;
  }

  /** What names the call at this node, or null. */
  void token(@Nullable SlotToken named) {
    token = named;
  }

  /** What names the call at this node; null if its caller wants no token. */
  public @Nullable SlotToken token() {
    return token;
  }

  /** The request is over; nothing is left of it. */
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

  /** 0 to 7. */
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

  /** Answers with a copy of these bytes; one too long becomes {@code RESPONSE_TOO_LARGE}. */
  public void reply(DirectBuffer source, int offset, int length) {
    if (answering().canAnswer(0, length)) {
      served().answer(CallStatus.OK.value(), source, offset, length);
    } else {
      answering().answerTooLarge(served(), 0, length);
    }
  }

  /**
   * Answers with bytes that the caller writes into the memory returned.
   *
   * @throws IllegalArgumentException if they would not fit a message; the answer is {@code
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

  /** Answers that the call is not wanted. */
  public void refuse(String text) {
    answering().refuse(served(), text);
  }

  /**
   * Takes the call out of the worker's hands: whoever gets it answers later through {@link
   * DeferredCall#answer}.
   */
  public DeferredCall defer() {
    return answering().defer(served(), this);
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
