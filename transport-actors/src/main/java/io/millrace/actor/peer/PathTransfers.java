package io.millrace.actor.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.protocol.transfer.FrameQueue;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.OutboundCalls;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.ReceiveCredit;
import io.millrace.protocol.transfer.SendCredit;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.codec.CallStatus;
import java.nio.ByteOrder;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The transfers of one path, both ways: calls of this node, calls that it serves, the frames of
 * both that wait, and the inline credit that bounds them. On the worker's thread; does not allocate
 * in the steady state.
 */
final class PathTransfers {
  private static final int MAX_TEXT_BYTES = 1_024;
  private static final String NO_CREDIT = "the peer sent more inline bytes than it was allowed";

  /** What each {@link CallStatus} means to the caller. */
  private static final CallOutcome[] OUTCOMES = {
    CallOutcome.OK,
    CallOutcome.HANDLER_FAILED,
    CallOutcome.UNKNOWN_ROUTE,
    CallOutcome.OVERLOADED,
    CallOutcome.RESPONSE_TOO_LARGE,
    CallOutcome.SHUTTING_DOWN
  };

  private final WorkerServices services;
  private final PeerPath path;
  private final PathCounters counters;
  private final OutboundCalls calls;
  private final ServedCalls served;
  private final FrameQueue frames = new FrameQueue();
  private final OversizedFrames oversized = new OversizedFrames();

  /** Calls that ended without their response though the peer may send it and be charged for it. */
  private final LongHashSet late = new LongHashSet();

  private final SendCredit sendCredit;
  private final ReceiveCredit receiveCredit;
  private boolean deferred;

  PathTransfers(WorkerServices services, PeerPath path, PathTerms terms) {
    this.services = services;
    this.path = path;
    this.counters = services.counters();
    calls = new OutboundCalls(terms.localWorker(), terms.remoteTransfers());
    served =
        new ServedCalls(services.settings().limits().concurrentTransfers(), services.answers());
    sendCredit = new SendCredit(terms.sendLimitBytes());
    receiveCredit = new ReceiveCredit(terms.receiveWindowBytes());
  }

  FrameQueue frames() {
    return frames;
  }

  OutboundCalls calls() {
    return calls;
  }

  ServedCalls served() {
    return served;
  }

  /** Whether this side owes or is owed anything. */
  boolean isIdle() {
    return calls.openCount() == 0 && served.openCount() == 0;
  }

  /** Takes a call of this node, or returns false when the peer takes no more now. */
  boolean tryOpen(OutboundCall call) {
    if (call.encodedLength() > path.maxFrameBytes()) {
      fail(call, CallOutcome.PAYLOAD_TOO_LARGE, tooLarge(call.contentLength()));
      return true;
    }
    if (!calls.open(call)) {
      return false;
    }
    queue(call);
    return true;
  }

  /** A request arrived whose bytes {@link WorkerServices#inbound()} shows in {@code buffer}. */
  void onRequest(long transferId, long route, int priority, UnsafeBuffer buffer) {
    InboundCall inbound = services.inbound();
    int cost = InlineCost.of(inbound.headersLength(), inbound.payloadLength());
    switch (served.onRequest(transferId, priority, cost)) {
      case NEW -> {
        requireCredit(cost);
        counters.requestsServed++;
        counters.payloadBytesDelivered += inbound.headersLength() + inbound.payloadLength();
        serve(servedCall(transferId), route, buffer);
      }
      case DUPLICATE, STALE -> counters.duplicateRequests++;
      case BEYOND_LIMIT ->
          throw new ProtocolViolationException(
              "slot " + TransferId.slot(transferId) + " is beyond the limit of transfers");
    }
  }

  /** A response arrived: the lengths of its headers and payload stand at these offsets. */
  void onResponse(long transferId, int status, UnsafeBuffer buffer, int headersAt, int payloadAt) {
    CallOutcome outcome = outcome(status);
    OutboundCall call = calls.end(transferId);
    int headersLength = length(buffer, headersAt);
    int payloadLength = length(buffer, payloadAt);
    int cost = InlineCost.of(headersLength, payloadLength);
    if (call == null) {
      onLateResponse(transferId, cost);
      return;
    }
    if (!receiveCredit.onReceived(cost)) {
      fail(call, CallOutcome.PEER_RESET, NO_CREDIT);
      throw new ProtocolViolationException(NO_CREDIT);
    }
    counters.responsesReceived++;
    counters.payloadBytesDelivered += headersLength + payloadLength;
    if (outcome != CallOutcome.OK) {
      counters.callsFailed++;
    }
    call.onResponse(
        outcome,
        buffer,
        headersAt + Short.BYTES,
        headersLength,
        payloadAt + Short.BYTES,
        payloadLength);
    consumed(cost);
    path.onCallEnded();
  }

  /** Takes a served call out of the worker's hands. */
  DeferredCall defer(ServedCall call, InboundCall inbound) {
    deferred = true;
    DeferredCall taken = services.takeDeferred();
    taken.start(path, call, inbound);
    return taken;
  }

  /** The executor has answered. */
  void onDeferredAnswer(ServedCall call, CallStatus status, byte[] headers, byte[] payload) {
    consumed(call.requestCostBytes());
    if (call.isObsolete()) {
      served.onDropped(call);
    } else if (status != CallStatus.OK) {
      answer(call, status, payload);
    } else if (canAnswer(headers.length, payload.length)) {
      call.answer(CallStatus.OK.value(), headers.length, payload.length);
      call.response().putBytes(0, headers);
      call.response().putBytes(headers.length, payload);
      queueAnswer(call);
    } else {
      answerTooLarge(call, headers.length + payload.length);
      queueAnswer(call);
    }
  }

  /** Whether a response of these lengths fits a message. */
  boolean canAnswer(int headersLength, int payloadLength) {
    return headersLength <= services.settings().limits().headersBytes()
        && ServedCall.encodedLength(headersLength + payloadLength) <= path.maxFrameBytes();
  }

  /** Sets the answer that a response of this many bytes does not fit; does not queue it. */
  void answerTooLarge(ServedCall call, int length) {
    set(call, CallStatus.RESPONSE_TOO_LARGE, tooLarge(length).getBytes(UTF_8));
  }

  /** The peer told how much it takes. */
  void onLimit(long limitBytes) {
    sendCredit.onLimit(limitBytes);
  }

  /** What to tell the peer that this side takes. */
  long announceCredit() {
    return receiveCredit.announce();
  }

  /** The limit just told goes again if it is lost. */
  void onCreditTracked() {
    receiveCredit.onAnnouncementTracked();
  }

  /** Takes the credit for a frame about to be sent; false when there is none left. */
  boolean takeCredit(OutboundFrame frame) {
    if (frame.isCharged()) {
      counters.framesRetransmitted++;
      return true;
    }
    int cost = frame.costBytes();
    if (!sendCredit.canSend(cost)) {
      return false;
    }
    sendCredit.onSent(cost);
    frame.setCharged(true);
    if (frame instanceof OutboundCall) {
      counters.requestsSent++;
    }
    return true;
  }

  /** Whether a frame waits that credit lets go. */
  boolean hasSendableFrames() {
    int levels = frames.nonEmptyLevels();
    while (levels != 0) {
      OutboundFrame head = frames.peek(Integer.numberOfTrailingZeros(levels));
      if (head != null && (head.isCharged() || sendCredit.canSend(head.costBytes()))) {
        return true;
      }
      levels &= levels - 1;
    }
    return false;
  }

  /** A frame must go again. */
  void queueAgain(OutboundFrame frame) {
    frames.addFirst(frame);
    path.activate(frame.priority());
  }

  /** A frame left its queue because nobody wants it any more. */
  void onObsolete(OutboundFrame frame) {
    if (frame instanceof ServedCall call) {
      served.onDropped(call);
    }
  }

  /** A frame left its queue that no datagram of the present size carries; smaller ones pass it. */
  void setAside(OutboundFrame frame) {
    oversized.add(frame);
    path.services().touched().add(path);
  }

  /** Sends what was set aside and fits now; rejects the rest if the size is final. */
  void settleOversized(boolean isFinal) {
    if (!oversized.isEmpty()) {
      oversized.settle(this, isFinal);
    }
  }

  /** Whether a datagram of the present size carries the frame. */
  boolean canCarry(OutboundFrame frame) {
    return path.canCarry(frame.encodedLength());
  }

  /** Ends every call of this node; what it serves is forgotten. */
  void failAll(CallOutcome outcome, String text) {
    served.forgetAll();
    counters.callsFailed += calls.openCount();
    calls.failAll(outcome, text);
  }

  /** The path carries no message as long as this one. */
  void reject(OutboundFrame frame) {
    if (frame instanceof OutboundCall call) {
      calls.end(call.transferId());
      if (call.isCharged()) {
        late.add(call.transferId());
        fail(call, CallOutcome.PEER_RESET, inDoubt(call.contentLength()));
      } else {
        fail(call, CallOutcome.PAYLOAD_TOO_LARGE, tooLarge(call.contentLength()));
      }
      path.onCallEnded();
    } else if (frame instanceof ServedCall call) {
      int length = call.contentLength();
      boolean charged = call.isCharged();
      call.start(call.transferId(), call.priority(), call.requestCostBytes());
      call.setCharged(charged);
      answerTooLarge(call, length);
      queueAnswer(call);
    }
  }

  private void serve(ServedCall call, long route, UnsafeBuffer buffer) {
    if (!served.canExecute()) {
      consumed(call.requestCostBytes());
      answer(call, CallStatus.OVERLOADED, "too many answers wait for their caller".getBytes(UTF_8));
      return;
    }
    InboundHandler handler = services.routes().find(route);
    if (handler == null) {
      consumed(call.requestCostBytes());
      answer(call, CallStatus.UNKNOWN_ROUTE, "nobody serves this route".getBytes(UTF_8));
      return;
    }
    deferred = false;
    run(handler, call, buffer);
    if (!deferred) {
      consumed(call.requestCostBytes());
      if (!call.isAnswered()) {
        set(call, CallStatus.HANDLER_FAILED, "the handler did not answer".getBytes(UTF_8));
      }
      queueAnswer(call);
    }
  }

  private void run(InboundHandler handler, ServedCall call, UnsafeBuffer buffer) {
    InboundCall inbound = services.inbound();
    inbound.start(path, call, buffer);
    try {
      handler.onCall(inbound);
    } catch (RuntimeException | Error e) {
      if (!call.isAnswered() && !deferred) {
        set(call, CallStatus.HANDLER_FAILED, String.valueOf(e.getMessage()).getBytes(UTF_8));
      }
    } finally {
      inbound.finish();
    }
  }

  private void answer(ServedCall call, CallStatus status, byte[] text) {
    set(call, status, text);
    queueAnswer(call);
  }

  private void queueAnswer(ServedCall call) {
    served.onAnswered(call);
    queue(call);
  }

  private void set(ServedCall call, CallStatus status, byte[] text) {
    int length = Math.min(text.length, MAX_TEXT_BYTES);
    call.answer(status.value(), 0, length);
    call.response().putBytes(0, text, 0, length);
  }

  /** A response of a call that is over: its sender paid for it unless it is a duplicate. */
  private void onLateResponse(long transferId, int cost) {
    if (late.remove(transferId)) {
      requireCredit(cost);
      consumed(cost);
    }
  }

  /** A frame waits for its turn. */
  void queue(OutboundFrame frame) {
    frames.add(frame);
    path.activate(frame.priority());
  }

  private void fail(OutboundCall call, CallOutcome outcome, String text) {
    counters.callsFailed++;
    call.onFailure(outcome, text);
  }

  private void consumed(int cost) {
    receiveCredit.onConsumed(cost);
    if (receiveCredit.isAnnouncementDue()) {
      path.onCreditDue();
    }
  }

  private void requireCredit(int cost) {
    if (!receiveCredit.onReceived(cost)) {
      throw new ProtocolViolationException(NO_CREDIT);
    }
  }

  private ServedCall servedCall(long transferId) {
    ServedCall call = served.find(TransferId.slot(transferId), TransferId.generation(transferId));
    if (call == null) {
      throw new IllegalStateException("a new call is not in its table");
    }
    return call;
  }

  private String inDoubt(int length) {
    return tooLarge(length) + " any more; the call may have been executed";
  }

  private String tooLarge(int length) {
    return length
        + " bytes of headers and payload do not fit a message of "
        + path.maxFrameBytes()
        + " bytes to "
        + path.peer();
  }

  private static int length(UnsafeBuffer buffer, int at) {
    return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
  }

  private static CallOutcome outcome(int status) {
    if (status >= OUTCOMES.length) {
      throw new ProtocolViolationException("there is no status " + status);
    }
    return OUTCOMES[status];
  }
}
