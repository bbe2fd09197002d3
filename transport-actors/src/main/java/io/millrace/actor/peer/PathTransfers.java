package io.millrace.actor.peer;

import io.millrace.actor.body.BodyOpener;
import io.millrace.actor.body.SharedPayload;
import io.millrace.actor.body.WriteFlags;
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
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.ResetReason;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of one path, both ways: calls of this node, calls that it serves, the frames of
 * both that wait, and the inline credit that bounds them. On the worker's thread; does not allocate
 * in the steady state.
 */
final class PathTransfers {
  /** A segment of fewer bytes is not worth its frame, unless there is no other way. */
  private static final int SEGMENT_BYTES = 1_024;

  private static final String NO_CREDIT = "the peer sent more inline bytes than it was allowed";

  /** What each {@link CallStatus} means to the caller. */
  private static final CallOutcome[] OUTCOMES = {
    CallOutcome.OK,
    CallOutcome.HANDLER_FAILED,
    CallOutcome.UNKNOWN_ROUTE,
    CallOutcome.OVERLOADED,
    CallOutcome.RESPONSE_TOO_LARGE,
    CallOutcome.SHUTTING_DOWN,
    CallOutcome.REFUSED,
    CallOutcome.TARGET_FAILED,
    CallOutcome.SOURCE_FAILED,
    CallOutcome.NOT_AUTHENTIC,
    CallOutcome.PAYLOAD_TOO_LARGE,
    CallOutcome.CANCELLED,
    CallOutcome.REQUEST_NOT_DECODED
  };

  private final WorkerServices services;
  private final PeerPath path;
  private final PathCounters counters;
  private final OutboundCalls calls;
  private final ServedCalls served;
  private final FrameQueue frames = new FrameQueue();
  private final OversizedFrames oversized = new OversizedFrames();

  /** What an answer has at most that fits the path's datagrams. */
  private final int mostAnswerBytes;

  private final SendCredit sendCredit;
  private final ReceiveCredit receiveCredit;
  private final PathBodies bodies;
  private final PathServing serving;
  private final PathStreams streams;
  private final HeaderLimits headers;
  private long packetNumber;

  PathTransfers(WorkerServices services, PeerPath path, PathTerms terms) {
    this.services = services;
    this.path = path;
    this.counters = services.counters();
    calls = new OutboundCalls(terms.localWorker(), terms.remoteTransfers());
    served =
        new ServedCalls(services.settings().limits().concurrentTransfers(), services.answers());
    mostAnswerBytes = terms.maxDatagramBytes() - PacketHeader.OVERHEAD;
    sendCredit = new SendCredit(terms.sendLimitBytes(), terms.remoteCreditNs());
    receiveCredit =
        new ReceiveCredit(
            terms.receiveWindow().initialBytes(),
            terms.receiveWindowBytes(),
            services.receiveBudget());
    headers = new HeaderLimits(services.settings().limits(), terms.remoteHeadersBytes());
    bodies = new PathBodies(path, this);
    serving = new PathServing(path, this, served);
    streams = new PathStreams(path, this);
  }

  PathBodies bodies() {
    return bodies;
  }

  PathStreams streams() {
    return streams;
  }

  PathServing serving() {
    return serving;
  }

  /** How long headers may be. */
  HeaderLimits headers() {
    return headers;
  }

  /** The open call of this id, or null. */
  @Nullable OutboundCall find(long transferId) {
    return calls.find(TransferId.slot(transferId), TransferId.generation(transferId));
  }

  /** The peer has the request, by its acknowledgement or its answer: the first of them counts. */
  void onRequestArrived(@Nullable OutboundCall call) {
    if (call instanceof PeerCall own && !own.isObsolete() && !own.wentAsBody()) {
      counters.payloadBytesAcknowledged += own.contentLength();
    }
  }

  /** Ends the call on this side; false if it had ended. */
  boolean end(OutboundCall call) {
    if (calls.end(call.transferId()) != call) {
      return false;
    }
    counters.responsesReceived++;
    path.onCallEnded();
    return true;
  }

  /** Ends the call of this id with a failure, if it is open. */
  void failCall(long transferId, CallOutcome outcome, String text) {
    if (calls.end(transferId) instanceof PeerCall call) {
      path.onCallEnded();
      if (!call.isGivenUp()) {
        counters.callsFailed++;
        bodies.stopRequest(call);
        call.onAborted(outcome, text);
      }
    }
  }

  /** The caller of a call wants no more of it; does nothing if it has ended. Rule T-9. */
  void giveUp(PeerCall call, CallOutcome outcome, String text) {
    BodyOpener response = call.response();
    if (find(call.transferId()) != call || call.isGivenUp()) {
      return;
    }
    if (call instanceof StreamCall stream) {
      stream.giveUp(outcome, text);
    } else if (response != null) {
      response.fail(outcome, text);
    } else if (isWaiting(call) && !call.isCharged()) {
      frames.remove(call);
      failCall(call.transferId(), outcome, text);
    } else {
      giveUp(call, cancelling(call, text), outcome, text);
    }
  }

  /** The call ends here, and keeps its id until the peer, which is told so, has answered. */
  void giveUp(PeerCall call, FlowResetFrame reset, CallOutcome outcome, String text) {
    BodyOpener response = call.response();
    if (response != null) {
      path.sendRare(reset);
      bodies.stopRequest(call);
      response.fail(outcome, text);
    } else if (!call.isGivenUp()) {
      calls.giveUp(call);
      path.sendRare(reset);
      counters.callsFailed++;
      bodies.stopRequest(call);
      call.onFailure(outcome, text);
    }
  }

  private static FlowResetFrame cancelling(OutboundCall call, String text) {
    return new FlowResetFrame(
        call.transferId(),
        WriteFlags.FROM_SENDER,
        ResetReason.CANCELLED,
        call.isCharged() ? call.costBytes() : 0,
        text);
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
    return calls.openCount() == 0 && served.openCount() == 0 && bodies.isIdle();
  }

  /** Takes a call of this node, or returns false when the peer takes no more now. */
  boolean tryOpen(PeerCall call) {
    String problem = problem(call);
    if (problem != null) {
      counters.callsFailed++;
      call.refuse(CallOutcome.PAYLOAD_TOO_LARGE, problem);
      return true;
    }
    if (!calls.open(call)) {
      return false;
    }
    call.onOpened(path);
    boolean asBody =
        call.isBody()
            || call.encodedLength() > path.size().maxFrameBytes()
            || streams.isTooLong(call)
            || !isWorthWaiting(call);
    if (asBody) {
      counters.requestsSent++;
      bodies.startRequest(call);
    } else {
      queue(call);
    }
    if (call instanceof StreamCall stream) {
      streams.start(stream, asBody);
    }
    if (receiveCredit.isWorthTelling()) {
      // With the request: then its answer need not ask for memory.
      path.onCreditDue();
    }
    return true;
  }

  /** Whether the frame has credit, or will have it by itself; else it goes as a body; rule C-7. */
  boolean isWorthWaiting(OutboundFrame frame) {
    return sendCredit.isWorthWaiting(frame.costBytes(), frames.owedBytes());
  }

  /** Whether the peer counts answers as what it allowed to be sent; rule C-8. */
  boolean answersCost() {
    return sendCredit.isBounded();
  }

  /** Whether the peer takes a packet of this size that brings nothing. */
  boolean mayProbe(int packetBytes) {
    return sendCredit.isWorthWaiting(packetBytes, frames.owedBytes());
  }

  /** The longest content that a segment of a stream should have for the credit there is. */
  int mostSegmentBytes() {
    long most = sendCredit.mostBytes(frames.owedBytes()) - InlineCost.of(0, 0);
    return (int) Math.min(most, Short.MAX_VALUE * 2);
  }

  /** Whether a further segment of a stream would only wait. */
  boolean isShortOfCredit() {
    return frames.owedBytes() > 0 && !sendCredit.isWorthWaiting(SEGMENT_BYTES, frames.owedBytes());
  }

  /** The turn begins: what was allowed long ago is not used any more. */
  void onTime(long nowNs) {
    sendCredit.onTime(frames.owedBytes(), nowNs);
  }

  /** The path is over. */
  void close(long nowNs) {
    receiveCredit.close(nowNs);
  }

  /**
   * A response of so many bytes is expected; negative once that is over. One that fits a datagram
   * needs no memory.
   */
  void expect(long responseBytes) {
    if (Math.abs(responseBytes) > mostAnswerBytes - ServedCall.encodedLength(0)) {
      path.regions().onExpected(responseBytes);
    }
  }

  /** Why a call is never sent on this path, or null. */
  private @Nullable String problem(PeerCall call) {
    int most = services.settings().transfers().messageBytes();
    if (!call.isBody() && call.contentLength() > most) {
      return serving.overLimit(call.contentLength());
    }
    SharedPayload shared = call.shared();
    return headers.problem(shared == null ? call.requestHeaders().length : shared.headersBytes());
  }

  /**
   * A response arrived: the lengths of its headers and payload stand at these offsets. Of each open
   * call one is taken, of a datagram at most, so that it needs no credit; rule C-1.
   */
  void onResponse(long transferId, int status, UnsafeBuffer buffer, int headersAt, int payloadAt) {
    CallOutcome outcome = outcome(status);
    int headersLength = length(buffer, headersAt);
    int payloadLength = length(buffer, payloadAt);
    if (ServedCall.encodedLength(headersLength + payloadLength) > mostAnswerBytes) {
      throw new ProtocolViolationException("an answer is longer than the path's datagrams");
    }
    if (outcome == CallOutcome.CANCELLED) {
      onConfirmed(transferId);
      return;
    }
    headers.requireTaken(headersLength);
    onRequestArrived(find(transferId));
    OutboundCall call = calls.end(transferId);
    if (call == null) {
      return;
    }
    if (receiveCredit.isBounded() && outcome == CallOutcome.OK) {
      account(InlineCost.ofAnswer(headersLength, payloadLength));
    }
    if (call.isGivenUp()) {
      onLateResponse();
      return;
    }
    counters.responsesReceived++;
    counters.payloadBytesDelivered += headersLength + payloadLength;
    if (outcome != CallOutcome.OK) {
      counters.callsFailed++;
    }
    if (call instanceof PeerCall peerCall) {
      bodies.stopRequest(peerCall);
    }
    call.onResponse(
        outcome,
        buffer,
        headersAt + Short.BYTES,
        headersLength,
        payloadAt + Short.BYTES,
        payloadLength);
    path.onCallEnded();
  }

  /** A packet arrived; what is in it follows. */
  void onPacket(long packetNumber) {
    this.packetNumber = packetNumber;
  }

  /** The peer told how much it takes. */
  void onLimit(long limitBytes) {
    sendCredit.onLimit(limitBytes, packetNumber, path.nowNs());
    streams.onCredit();
  }

  /** Inline bytes that arrived and were not consumed. */
  long inlineBytes() {
    return receiveCredit.outstandingBytes();
  }

  /** What to tell the peer that this side takes. */
  long announceCredit() {
    return receiveCredit.announce(path.nowNs());
  }

  /** The limit just told goes again if it is lost. */
  void onCreditTracked() {
    receiveCredit.onAnnouncementTracked();
  }

  /** The frame of this level that goes next, or null; one that has no credit stands aside. */
  @Nullable OutboundFrame nextFrame(int level) {
    return frames.peek(level, sendCredit);
  }

  /** Takes the credit for a frame that {@link #nextFrame} showed and that is about to be sent. */
  void pay(OutboundFrame frame) {
    if (frame.isCharged()) {
      counters.framesRetransmitted++;
      return;
    }
    sendCredit.onSent(frame.costBytes());
    frame.setCharged(true);
    if (frame instanceof OutboundCall) {
      counters.requestsSent++;
    }
  }

  /** The levels at which a frame waits that credit lets go: bit n for level n. */
  int sendableLevels() {
    return frames.sendableLevels(sendCredit);
  }

  /** A frame that was sent must go again; one of a stream not ahead of the stream's opening. */
  void sendAgain(OutboundFrame frame) {
    if (frame instanceof StreamFrame ofStream) {
      streams.queueAgain(ofStream);
    } else {
      queueAgain(frame);
    }
  }

  /** A frame goes ahead of its level. */
  void queueAgain(OutboundFrame frame) {
    frames.addFirst(frame);
    path.activate(frame.priority());
  }

  /** A frame must go again, but after one of its level that must, too. */
  void queueBehind(OutboundFrame before, OutboundFrame frame) {
    frames.addBehind(before, frame);
    path.activate(frame.priority());
  }

  /** Whether the frame waits to go, and was not set aside. */
  boolean isWaiting(OutboundFrame frame) {
    return frame.isQueuedIn(frames);
  }

  /** A frame left its queue because nobody wants it any more. */
  void onObsolete(OutboundFrame frame) {
    if (frame instanceof ServedCall call) {
      served.onDropped(call);
    } else if (frame instanceof WriteNotice notice) {
      path.writes().notices().onUnqueued(notice);
    } else if (frame instanceof StreamFrame stream) {
      streams.frames().onUnqueued(stream);
    }
  }

  /** Whether a datagram of the present size carries the frame, and it would not come too early. */
  boolean canGo(OutboundFrame frame) {
    return canCarry(frame) && !streams.waitsForOpening(frame);
  }

  /** A frame left its queue that may not go at the path's present size; others pass it. */
  void setAside(OutboundFrame frame) {
    streams.onAside(frame);
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
    return path.size().canCarry(frame.encodedLength());
  }

  /** Ends every call of this node; what it serves is forgotten. */
  void failAll(CallOutcome outcome, String text) {
    served.forgetAll();
    counters.callsFailed += calls.openCount();
    calls.failAll(outcome, text);
    bodies.failAll(outcome, text);
    streams.failAll(outcome, text);
  }

  /** The path carries no message as long as this one: it goes as a body, unless it was sent. */
  void reject(OutboundFrame frame) {
    if (frame instanceof PeerCall call && !call.isCharged()) {
      streams.onOpeningAsBody(call);
      bodies.startRequest(call);
    } else if (frame instanceof PeerCall call) {
      String text = inDoubt(call.contentLength());
      giveUp(call, cancelling(call, text), CallOutcome.PEER_RESET, text);
    } else if (frame instanceof StreamDataFrame data) {
      streams.onUnsendable(data);
    } else if (frame instanceof ServedCall call && !call.isCharged()) {
      serving.sendAsBody(call);
    } else if (frame.costBytes() > 0) {
      // Whether the peer counted it will never be known, so credit would be wrong for good.
      path.close(
          CloseReason.PEER_FAULT, CallOutcome.PEER_RESET, noLongerFits(frame.contentLength()));
    } else if (frame instanceof ServedCall call) {
      int length = call.contentLength();
      call.withdrawAnswer();
      serving.answerNoLongerFits(call, noLongerFits(length) + "; the call was executed");
      serving.queueAnswer(call);
    }
  }

  /** The peer answered a call before it learnt that this side had given it up. */
  private void onLateResponse() {
    counters.answersDropped++;
    path.onCallEnded();
  }

  /** The peer knows that this side gave a call up, and has done with it. */
  private void onConfirmed(long transferId) {
    OutboundCall call = find(transferId);
    if (call != null && !call.isGivenUp()) {
      throw new ProtocolViolationException("a call was cancelled that its caller had not given up");
    }
    if (calls.end(transferId) != null) {
      path.onCallEnded();
    }
  }

  /** The response of a call that was given up begins to come as a body; rule T-9. */
  void onLateBody(PeerCall call) {
    if (calls.end(call.transferId()) == call) {
      counters.answersDropped++;
      path.onCallEnded();
      path.sendRare(
          new FlowResetFrame(
              call.transferId(), WriteFlags.RESPONSE, ResetReason.CANCELLED, "it was given up"));
    }
  }

  /** A frame waits for its turn; one of a stream not ahead of the stream's opening. */
  void queue(OutboundFrame frame) {
    if (streams.isBehindOpening(frame)) {
      frames.addInOrder(frame);
    } else {
      frames.add(frame);
    }
    path.activate(frame.priority());
  }

  void consumed(int cost) {
    receiveCredit.onConsumed(cost);
    if (receiveCredit.isAnnouncementDue()) {
      path.onCreditDue();
    }
  }

  /** The sender paid for this much that is not kept here, or not any more. */
  void account(long costBytes) {
    if (costBytes > Integer.MAX_VALUE) {
      throw new ProtocolViolationException("a transfer took " + costBytes + " bytes of credit");
    }
    if (costBytes > 0) {
      requireCredit((int) costBytes);
      consumed((int) costBytes);
    }
  }

  void requireCredit(int cost) {
    if (!receiveCredit.onReceived(cost)) {
      throw new ProtocolViolationException(NO_CREDIT);
    }
  }

  private String inDoubt(int length) {
    return noLongerFits(length) + "; the call may have been executed";
  }

  /** It was sent in one frame, so it cannot go as a body, and the path's datagrams got smaller. */
  private String noLongerFits(int length) {
    return length
        + " bytes of headers and payload do not fit a frame of "
        + path.size().maxFrameBytes()
        + " bytes to "
        + path.peer()
        + " any more";
  }

  private static int length(UnsafeBuffer buffer, int at) {
    return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
  }

  static CallOutcome outcome(int status) {
    if (status >= OUTCOMES.length) {
      throw new ProtocolViolationException("there is no status " + status);
    }
    return OUTCOMES[status];
  }
}
