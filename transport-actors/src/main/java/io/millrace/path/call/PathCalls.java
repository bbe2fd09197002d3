package io.millrace.path.call;

import io.millrace.access.admission.Caller;
import io.millrace.body.BodyOpener;
import io.millrace.body.SharedPayload;
import io.millrace.ends.AllSteps;
import io.millrace.ends.PathCounters;
import io.millrace.event.LatencyStage;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.causality.CausalCall;
import io.millrace.path.packet.InlineCredit;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.path.region.PathRegions;
import io.millrace.path.write.PathWrites;
import io.millrace.protocol.causality.SentNumbers;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.OutboundCalls;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.protocol.transfer.TransferItem;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.CausalPrefix;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.PeerText;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.ResetReason;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The calls of this node on one path, from the start on the path to the outcome; rules T-1 to T-4,
 * T-9 and T-10. {@link PathServing} has the calls served by this node. On the worker's thread; does
 * not allocate in the steady state.
 */
public final class PathCalls implements PathChallenges.Transfers {
  private final PathPackets path;
  private final PathFrames frames;
  private final InlineCredit credit;
  private final PathRegions regions;
  private final PathWrites writes;
  private final PathCounters counters;
  private final OutboundCalls calls;

  /** The most bytes of an answer fitting the path's datagrams. */
  private final int mostAnswerBytes;

  private final HeaderLimits headers;
  private final PathServing serving;
  private final AnswerPromises promises;
  private final PathBodies bodies;
  private StreamOpenings streams = StreamOpenings.NONE;
  private @Nullable SentNumbers numbers;
  private @Nullable PathChallenges challenges;
  private boolean isRoomMade;

  /** No call is open yet; bodies leave by {@code writes} and arrive by {@code regions}. */
  public PathCalls(PathPackets path, WorkerCalls worker, PathRegions regions, PathWrites writes) {
    this.path = path;
    this.regions = regions;
    this.writes = writes;
    frames = path.frames();
    credit = path.credit();
    counters = path.worker().counters();
    PathTerms terms = path.terms();
    calls = new OutboundCalls(terms.localWorker(), terms.remoteTransfers());
    mostAnswerBytes = terms.maxDatagramBytes() - PacketHeader.OVERHEAD;
    headers = new HeaderLimits(path.worker().settings().limits(), terms.remoteHeadersBytes());
    serving = new PathServing(path, worker, this);
    promises = new AnswerPromises(path, worker);
    bodies = new PathBodies(path, worker, this, regions, writes);
    path.own(OutboundFrame.KIND_REQUEST, new Requests());
    path.own(OutboundFrame.KIND_RESPONSE, serving.responses());
  }

  /** Sets the streams opened by the calls. */
  public void streams(StreamOpenings openings) {
    streams = openings;
  }

  /** Hears of the acknowledgements and losses of requests sent as frames. */
  private final class Requests extends ItemOwner.OfFrames {
    private Requests() {
      super(frames);
    }

    @Override
    protected @Nullable OutboundCall find(long item) {
      return calls.find(TransferItem.slot(item), TransferItem.generation(item));
    }

    @Override
    public boolean onItemAcked(long item) {
      OutboundCall call = find(item);
      if (call == null) {
        // The response overtook this acknowledgement: the packet did bring the transfer on.
        return true;
      }
      boolean isProgress = !call.isObsolete();
      if (isProgress) {
        counters.data().transferAcknowledged(path.pathId(), call.transferId());
      }
      onRequestArrived(call);
      call.onAcknowledged();
      return isProgress;
    }
  }

  /** The grants for answers that go with the requests. */
  AnswerPromises promises() {
    return promises;
  }

  /** Requests and responses in bodies. */
  public PathBodies bodies() {
    return bodies;
  }

  /** The challenges, here and at the peer; made at the first old packet. */
  public PathChallenges challenges() {
    PathChallenges own = challenges;
    if (own == null) {
      own = new PathChallenges(path, this);
      challenges = own;
    }
    return own;
  }

  @Override
  public boolean isUnknown(long transferId) {
    return served().isAhead(transferId);
  }

  @Override
  public boolean isOwn(long transferId) {
    OutboundCall call = find(transferId);
    return call != null && call.transferId() == transferId && !call.isGivenUp();
  }

  @Override
  public @Nullable OutboundFrame openingToRepeat(long transferId) {
    OutboundFrame opening =
        find(transferId) instanceof PeerCall call && call.wentAsBody()
            ? writes.notifications().openingOf(transferId)
            : find(transferId);
    return opening == null || opening.isQueued() || opening.isObsolete() || !opening.isCharged()
        ? null
        : opening;
  }

  StreamOpenings streams() {
    return streams;
  }

  /** The calls served by this node. */
  public PathServing serving() {
    return serving;
  }

  /** The limits for the length of headers. */
  public HeaderLimits headers() {
    return headers;
  }

  /** The open call of this id, or null. */
  public @Nullable OutboundCall find(long transferId) {
    return calls.find(TransferId.slot(transferId), TransferId.generation(transferId));
  }

  /**
   * The peer has the request, as its acknowledgement or its answer shows: the first sign counts.
   */
  void onRequestArrived(@Nullable OutboundCall call) {
    if (call instanceof PeerCall own && !own.isObsolete() && !own.wentAsBody()) {
      counters.payloadBytesAcknowledged += own.contentLength();
    }
  }

  /** Ends the call on this side; false if the call had ended before. */
  public boolean end(OutboundCall call) {
    if (calls.end(call.transferId()) != call) {
      return false;
    }
    counters.responsesReceived++;
    onRoom();
    return true;
  }

  /** Ends the call of this id with a failure, if the call is open. */
  void failCall(long transferId, CallOutcome outcome, String text) {
    if (calls.end(transferId) instanceof PeerCall call) {
      onRoom();
      if (!call.isGivenUp()) {
        counters.callsFailed++;
        try {
          bodies.stopRequest(call);
        } finally {
          call.onAborted(outcome, text);
        }
      }
    }
  }

  /** A call has ended: another call may have room. */
  public void onRoom() {
    isRoomMade = true;
    path.touch();
  }

  /** Whether waiting calls may have room, since the last poll. */
  public boolean pollRoom() {
    boolean isMade = isRoomMade;
    isRoomMade = false;
    return isMade;
  }

  /** As {@link #giveUp}, from outside a turn of the path; an exception stays with the path. */
  public void cancel(PeerCall call, CallOutcome outcome, String text) {
    if (!path.isOver()) {
      try {
        path.touch();
        giveUp(call, outcome, text);
      } catch (RuntimeException | Error e) {
        path.onFault(e);
      }
    }
  }

  /** The caller of a call gave the call up; does nothing for an ended call. Rule T-9. */
  void giveUp(PeerCall call, CallOutcome outcome, String text) {
    BodyOpener response = call.response();
    if (find(call.transferId()) != call || call.isGivenUp()) {
      return;
    }
    if (response == null) {
      call.onOutcome(outcome);
    }
    if (streams.giveUp(call, outcome, text)) {
      return;
    }
    if (response != null) {
      response.fail(outcome, text);
    } else if (frames.isWaiting(call) && !call.isCharged()) {
      frames.remove(call);
      failCall(call.transferId(), outcome, text);
    } else {
      giveUp(call, cancelling(call, text), outcome, text);
    }
  }

  /** The call ends here, and keeps its id until the peer, told of the end, has answered. */
  void giveUp(PeerCall call, FlowResetFrame reset, CallOutcome outcome, String text) {
    BodyOpener response = call.response();
    if (response != null) {
      try {
        frames.sendRare(reset);
        bodies.stopRequest(call);
      } finally {
        response.fail(outcome, text);
      }
    } else if (!call.isGivenUp()) {
      calls.giveUp(call);
      counters.callsFailed++;
      // From here on no other part tells the caller.
      try {
        call.onOutcome(outcome);
        frames.sendRare(reset);
        bodies.stopRequest(call);
      } finally {
        call.onFailure(outcome, text);
      }
    }
  }

  private static FlowResetFrame cancelling(OutboundCall call, String text) {
    return new FlowResetFrame(
        call.transferId(),
        WriteFlags.FROM_SENDER,
        ResetReason.CANCELLED,
        call.isCharged() ? call.costBytes() : 0,
        call instanceof PeerCall own && own.causal() != null ? own.causal().number() : 0,
        text);
  }

  /** The open calls of this node. */
  public OutboundCalls calls() {
    return calls;
  }

  /** The open calls of the peer at this node. */
  public ServedCalls served() {
    return serving.served();
  }

  /** Whether this side owes the peer nothing and waits for nothing. */
  public boolean isIdle() {
    return calls.openCount() == 0 && served().openCount() == 0 && bodies.isIdle();
  }

  /** Takes a call of this node; false when the peer takes no more calls now. */
  public boolean tryOpen(PeerCall call) {
    String problem = problem(call);
    if (problem != null) {
      counters.callsFailed++;
      call.refuse(CallOutcome.PAYLOAD_TOO_LARGE, problem);
      return true;
    }
    CausalCall causal = call.causal();
    if (causal != null && !causal.canGoBy(numbers())) {
      return true;
    }
    if (!calls.open(call)) {
      return false;
    }
    call.onOpened(this);
    counters
        .data()
        .transferStarted(path.pathId(), call.transferId(), call.priority(), call.contentLength());
    if (causal != null) {
      causal.onOpened(numbers());
    }
    promises.onOpening(call);
    // The opening of a stream must fit a datagram: stream frames sent behind the opening would
    // overtake a larger opening.
    boolean asBody =
        call.isBody()
            || call.encodedLength() > path.size().maxFrameBytes()
            || StreamPattern.isStream(call.pattern()) && !path.size().canCarry(call.encodedLength())
            || !frames.isWorthWaiting(call);
    if (asBody) {
      counters.requestsSent++;
      startBody(call);
    } else {
      frames.queue(call);
    }
    streams.onOpened(call, asBody);
    if (call.promise() == null) {
      credit.onRequestQueued();
    }
    return true;
  }

  /** The peer at the other end of the path; any thread with a part of the path. */
  public Caller peer() {
    return path.access().caller();
  }

  private SentNumbers numbers() {
    SentNumbers own = numbers;
    if (own == null) {
      own = new SentNumbers();
      numbers = own;
    }
    return own;
  }

  /** A body waits here for the transfers that other calls follow at the receiver; rule D-6. */
  private void startBody(PeerCall call) {
    CausalCall causal = call.causal();
    if (causal == null) {
      bodies.startRequest(call);
    } else {
      causal.asBody(
          () -> {
            if (find(call.transferId()) == call && !call.isGivenUp()) {
              causal.onBodyStarted();
              bodies.startRequest(call);
            }
          });
    }
  }

  /**
   * A response of this number of bytes is expected; negative at the end of the wait. A response
   * within a datagram needs no memory.
   */
  void expect(long responseBytes) {
    if (Math.abs(responseBytes) > mostAnswerBytes - ServedCall.encodedLength(0)) {
      regions.onExpected(responseBytes);
    }
  }

  /** Returns why a call is never sent on this path, or null. */
  private @Nullable String problem(PeerCall call) {
    int most = path.worker().settings().transfers().messageBytes();
    if (!call.isBody() && call.contentLength() > most) {
      return serving.overLimit(call.contentLength());
    }
    SharedPayload shared = call.sharedRequest();
    return headers.problem(shared == null ? call.requestHeaders().length : shared.headersBytes());
  }

  /** The response to be handled next tells when another try may go well; rule C-11. */
  void onRetryAfter(long transferId, long afterMs) {
    if (find(transferId) instanceof PeerCall call && call.transferId() == transferId) {
      call.retryAfter(afterMs);
    }
  }

  /**
   * A response arrived: {@code headersAt} and {@code payloadAt} are the offsets of the two lengths.
   * Each open call takes a single response, of a datagram at most, so that the response needs no
   * credit; rule C-1.
   */
  void onResponse(
      long transferId,
      int status,
      boolean isByGrant,
      SegmentBuffer buffer,
      int headersAt,
      int payloadAt) {
    CallOutcome outcome = CallOutcomes.of(status);
    int headersLength = length(buffer, headersAt);
    int payloadLength = length(buffer, payloadAt);
    if (ServedCall.encodedLength(headersLength + payloadLength) > mostAnswerBytes) {
      throw new ProtocolViolationException("an answer is longer than the path's datagrams");
    }
    if (outcome == CallOutcome.CANCELLED) {
      onConfirmed(transferId);
      return;
    }
    OutboundCall call = endAnswered(transferId, outcome, isByGrant, headersLength, payloadLength);
    if (call == null) {
      return;
    }
    try {
      if (call instanceof PeerCall peerCall) {
        bodies.stopRequest(peerCall);
        tellDependents(peerCall, outcome, buffer, payloadAt + Short.BYTES, payloadLength);
      }
    } finally {
      // From here on no other part tells the caller.
      call.onResponse(
          outcome,
          buffer,
          headersAt + Short.BYTES,
          headersLength,
          payloadAt + Short.BYTES,
          payloadLength);
      onRoom();
    }
  }

  /**
   * Ends the answered call; null if nobody waits for the answer. A violation is found ahead of the
   * end: such a call ends with its path, which must find the call in the table.
   */
  private @Nullable OutboundCall endAnswered(
      long transferId,
      CallOutcome outcome,
      boolean isByGrant,
      int headersLength,
      int payloadLength) {
    headers.requireTaken(headersLength);
    OutboundCall answered = find(transferId);
    requireDependencies(answered, outcome);
    onRequestArrived(answered);
    if (answered == null || answered.transferId() != transferId) {
      return null;
    }
    if (credit.isBounded() && outcome == CallOutcome.OK) {
      promises.onAnswer(answered, headersLength, payloadLength, isByGrant);
    }
    if (streams.isRefused(answered)) {
      return null;
    }
    boolean staysOpen = streams.owesCost(answered);
    OutboundCall call = staysOpen ? answered : calls.end(transferId);
    if (call == null) {
      return null;
    }
    if (call.isGivenUp()) {
      onLateResponse();
      return null;
    }
    if (!staysOpen) {
      counters.responsesReceived++;
    }
    counters.payloadBytesDelivered += headersLength + payloadLength;
    if (outcome != CallOutcome.OK) {
      counters.callsFailed++;
    }
    return call;
  }

  private static void requireDependencies(@Nullable OutboundCall call, CallOutcome outcome) {
    if (outcome == CallOutcome.DEPENDENCY_FAILED
        && call instanceof PeerCall own
        && own.causal() == null) {
      throw new ProtocolViolationException("a call without dependencies failed by a dependency");
    }
  }

  /**
   * The dependents of the call hear the outcome of the call. A call not run for its dependency's
   * sake names the failed dependency first; rule D-8.
   */
  private static void tellDependents(
      PeerCall call, CallOutcome outcome, SegmentBuffer buffer, int at, int length) {
    CausalCall causal = call.causal();
    if (causal != null && outcome != CallOutcome.OK) {
      causal.onPeerFailed();
      if (outcome == CallOutcome.DEPENDENCY_FAILED) {
        causal.onPeerTold(rootOf(buffer, at, length));
      } else {
        call.tellReason(outcome, PeerText.of(buffer, at, length));
      }
    }
    call.onOutcome(outcome);
  }

  /** The transfer first to fail, as named by an answer; 0 if unknown. */
  private static long rootOf(SegmentBuffer buffer, int at, int length) {
    if (length < Long.BYTES) {
      return 0;
    }
    long root = buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
    return root == CausalPrefix.UNKNOWN_ROOT ? 0 : root;
  }

  /** Records the outcome of a call of this node; called once. */
  void onEnded(PeerCall call, CallOutcome outcome) {
    long tookNs = path.nowNs() - call.knownNs();
    counters
        .latencies()
        .record(LatencyStage.TRANSFER, call.measuredPattern(), call.wantedPriority(), tookNs);
    counters.data().transferEnded(path.pathId(), call.transferId(), outcome, tookNs);
  }

  /** The request of the call is in a packet, for the first time. */
  void onFirstSent(PeerCall call) {
    promises.onFirstSent(call);
    counters
        .latencies()
        .record(
            LatencyStage.QUEUE_WAIT,
            call.measuredPattern(),
            call.wantedPriority(),
            path.nowNs() - call.knownNs());
  }

  /** Ends every call of this node; the served calls are forgotten. */
  public void failAll(CallOutcome outcome, String text) {
    counters.callsFailed += calls.openCount();
    AllSteps.run(
        serving::forgetAll,
        () -> calls.failAll(outcome, text),
        () -> bodies.failAll(outcome, text),
        () -> streams.failAll(outcome, text));
  }

  /**
   * The path carries no request of this length: the request goes as a body, unless the request was
   * sent. A stream whose opening was sent ends with its path: segments of both flows may be on
   * their way, and without the stream nobody would count the credit of the segments; rule S-10.
   */
  void onRequestUnsendable(PeerCall call) {
    if (call.isCharged()) {
      String text = noLongerFits(call.contentLength()) + "; the call may have been executed";
      if (StreamPattern.isStream(call.pattern())) {
        path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_RESET, text);
      } else {
        giveUp(call, cancelling(call, text), CallOutcome.PEER_RESET, text);
      }
    } else {
      streams.onSentAsBody(call);
      startBody(call);
    }
  }

  /** The peer answered a call before the peer learnt that this side had given the call up. */
  private void onLateResponse() {
    counters.answersDropped++;
    onRoom();
  }

  /** The peer knows that this side gave a call up, and has done with the call. */
  private void onConfirmed(long transferId) {
    OutboundCall call = find(transferId);
    if (call != null && !call.isGivenUp()) {
      throw new ProtocolViolationException("a call was cancelled but not given up by its caller");
    }
    if (calls.end(transferId) != null) {
      onRoom();
    }
  }

  /** The response of a given-up call begins to come as a body; rule T-9. */
  void onLateBody(PeerCall call) {
    if (calls.end(call.transferId()) == call) {
      counters.answersDropped++;
      onRoom();
      frames.sendRare(
          new FlowResetFrame(
              call.transferId(), WriteFlags.RESPONSE, ResetReason.CANCELLED, "it was given up"));
    }
  }

  /**
   * The message was sent in one frame, so cannot go as a body, the path's datagrams got smaller,
   * and the peer reads no pieces.
   */
  String noLongerFits(int length) {
    return length
        + " bytes of headers and payload do not fit a frame of "
        + path.size().maxFrameBytes()
        + " bytes to "
        + path.peer()
        + " any more";
  }

  private static int length(SegmentBuffer buffer, int at) {
    return buffer.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
  }
}
