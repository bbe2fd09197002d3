package io.millrace.path.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.body.BodyOpener;
import io.millrace.body.BodySealer;
import io.millrace.body.BodyServices;
import io.millrace.body.BodyTerms;
import io.millrace.body.OutboundBody;
import io.millrace.body.PeerShares;
import io.millrace.body.SharedPayload;
import io.millrace.ends.AllSteps;
import io.millrace.path.packet.PathContext;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.WorkerContext;
import io.millrace.path.region.InboundBodies;
import io.millrace.path.region.PathRegions;
import io.millrace.path.write.PathWrites;
import io.millrace.path.write.SentBodies;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.ResetReason;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Requests and responses of one path too large for a frame. Knows the body of each call, and
 * decides on the call at the end of a body. Rules B-1 to B-6. Worker's thread only.
 */
public final class PathBodies implements InboundBodies, SentBodies {
  private static final byte[] NO_BYTES = {};

  private final PathContext path;
  private final PathFrames frames;
  private final WorkerContext worker;
  private final BodyServices bodies;
  private final PathCalls calls;
  private final PathRegions regions;
  private final PathWrites writes;
  private final RequestBodies requests;
  private final ResponseBodies responses;
  private final Int2ObjectHashMap<ServedBody> served = new Int2ObjectHashMap<>();
  private PeerShares.@Nullable Share share;

  /** The bodies of a call served by this node. Worker's thread only. */
  private static final class ServedBody {
    private final ServedCall call;
    private final long transferId;
    private @Nullable BodyOpener request;
    private @Nullable OutboundBody response;

    private ServedBody(ServedCall call) {
      this.call = call;
      transferId = call.transferId();
    }
  }

  PathBodies(
      PathPackets path,
      WorkerCalls shared,
      PathCalls calls,
      PathRegions regions,
      PathWrites writes) {
    this.path = path;
    this.calls = calls;
    this.regions = regions;
    this.writes = writes;
    frames = path.frames();
    worker = path.worker();
    bodies = worker.bodies();
    requests = new RequestBodies(path, shared, calls, this);
    responses = new ResponseBodies(path, calls, this);
    regions.deliverTo(this);
    writes.reportTo(this);
  }

  /** The peer's share of the node's memory. */
  PeerShares.Share share() {
    PeerShares.Share own = share;
    if (own == null) {
      own = bodies.shares().open(path.identity().shareOf(path.peer()));
      share = own;
    }
    return own;
  }

  /** Discards the rest of a body that no call wants. */
  void discard(@Nullable BodyOpener opener) {
    regions.discardAllOf(opener);
  }

  /** Whether no call served by this node has a body. */
  public boolean isIdle() {
    return served.isEmpty();
  }

  /** The number of served calls with bodies. */
  public int servedCount() {
    return served.size();
  }

  /** Sends the request of an open call as a body. */
  void startRequest(PeerCall call) {
    SharedPayload shared = call.sharedRequest();
    if (shared != null) {
      BodyTerms terms =
          requestTerms(call, shared.headersBytes(), shared.bodyBytes(), shared.protection());
      OutboundBody body = requestBody(call, terms);
      shared.send(body);
      return;
    }
    BodySource source = call.requestSource();
    byte[] headers = call.requestHeaders();
    long bodyBytes = bodyBytes(headers, source);
    OutboundBody body =
        requestBody(call, requestTerms(call, headers.length, bodyBytes, call.protection()));
    BodySealer.start(bodies, body, source, headers, worker::giveBack, path.pathId(), share());
  }

  private static BodyTerms requestTerms(
      PeerCall call, int headersBytes, long bodyBytes, Protection protection) {
    return new BodyTerms(
        call.transferId(),
        false,
        call.route(),
        call.pattern(),
        call.wantedPriority(),
        call.priority(),
        0,
        headersBytes,
        bodyBytes,
        protection);
  }

  private OutboundBody requestBody(PeerCall call, BodyTerms terms) {
    OutboundBody body = new OutboundBody(terms, writes);
    call.startRequest(body);
    return body;
  }

  /** Sends the response of a served call as a body. */
  void startResponse(ServedCall call, byte[] headers, BodySource source, Protection protection) {
    BodyTerms terms =
        new BodyTerms(
            call.transferId(),
            true,
            0,
            BodyTerms.PATTERN_UNARY,
            call.priority(),
            call.priority(),
            CallStatus.OK.value(),
            headers.length,
            bodyBytes(headers, source),
            protection);
    OutboundBody body = new OutboundBody(terms, writes);
    of(call).response = body;
    BodySealer.start(bodies, body, source, headers, worker::giveBack, path.pathId(), share());
  }

  private static long bodyBytes(byte[] headers, BodySource source) {
    long length = source.lengthBytes();
    return length == BodySource.UNKNOWN_LENGTH ? BodyTerms.UNKNOWN : headers.length + length;
  }

  /** The body of a request to serve begins. */
  void onRequest(ServedCall call, BodyOpener opener) {
    of(call).request = opener;
  }

  /**
   * The request was taken over whole; no part of the request's body is kept during the handler's
   * work.
   */
  void onRequestTaken(long transferId) {
    served.remove(TransferId.slot(transferId));
  }

  /** The request failed: discards the rest of the request's body. */
  void onRequestFailed(long transferId) {
    ServedBody body = find(transferId);
    if (body != null) {
      regions.discardAllOf(body.request);
    }
  }

  private @Nullable ServedBody find(long transferId) {
    ServedBody body = served.get(TransferId.slot(transferId));
    return body != null && body.transferId == transferId ? body : null;
  }

  private ServedBody of(ServedCall call) {
    int slot = TransferId.slot(call.transferId());
    ServedBody known = served.get(slot);
    if (known == null || known.call != call || known.transferId != call.transferId()) {
      onSlotTaken(slot);
      known = new ServedBody(call);
      served.put(slot, known);
    }
    return known;
  }

  /**
   * The initiator uses the slot for another call: the initiator has given up the slot's former
   * call.
   */
  void onSlotTaken(int slot) {
    letGo(slot, CallOutcome.PEER_RESET, "the peer gave the call up");
  }

  private void letGo(int slot, CallOutcome outcome, String text) {
    ServedBody old = served.isEmpty() ? null : served.remove(slot);
    if (old == null) {
      return;
    }
    BodyOpener request = old.request;
    OutboundBody response = old.response;
    try {
      if (request != null) {
        request.fail(outcome, text);
        regions.discardAllOf(request);
      }
    } finally {
      // No other part knows this response any more.
      if (response != null) {
        writes.abort(response);
      }
    }
  }

  @Override
  public @Nullable BodyOpener begun(long transferId, boolean isResponse) {
    if (isResponse) {
      return calls.find(transferId) instanceof PeerCall call ? call.response() : null;
    }
    ServedBody body = find(transferId);
    return body == null ? null : body.request;
  }

  @Override
  public @Nullable BodyOpener begin(BodyTerms terms) {
    BodyOpener opener = terms.isResponse() ? responses.begin(terms) : requests.begin(terms);
    if (opener != null && !isAccepted(terms.protection())) {
      opener.fail(
          CallOutcome.REFUSED,
          "the payload is authenticated only, and millrace.crypto.accept-unsealed is off where it"
              + " should go");
    }
    return opener;
  }

  private boolean isAccepted(Protection protection) {
    return protection == Protection.SEALED || worker.settings().crypto().acceptUnsealed();
  }

  /** The call is over: aborts the rest of its request. */
  void stopRequest(PeerCall call) {
    OutboundBody body = call.request();
    if (body != null) {
      writes.abort(body);
    }
  }

  /**
   * The caller of a call served by this node gave the call up: ends the bodies of the call.
   *
   * @return false if the answer has been given in a frame, which goes on
   */
  boolean giveUp(ServedCall call, String text) {
    int slot = TransferId.slot(call.transferId());
    ServedBody body = served.get(slot);
    if (body == null || body.transferId != call.transferId()) {
      return !call.isAnswered();
    }
    if (call.isAnswered() && body.response == null) {
      return false;
    }
    letGo(slot, CallOutcome.CANCELLED, text);
    return true;
  }

  @Override
  public void onBodySent(OutboundBody body) {
    long id = body.terms().transferId();
    worker.counters().bodiesSent++;
    if (body.terms().isResponse()) {
      served.remove(TransferId.slot(id));
      calls.serving().onAnswerBodyEnded(id, true);
      calls.served().onResponseAcknowledged(TransferId.slot(id), TransferId.generation(id));
    } else if (calls.find(id) instanceof PeerCall call && call.request() == body) {
      // The call may wait long for an answer.
      call.onRequestTaken();
      calls.streams().onRequestTaken(call);
    }
  }

  @Override
  public void onSourceFailed(OutboundBody body, String text) {
    long id = body.terms().transferId();
    boolean isResponse = body.terms().isResponse();
    writes.abort(body);
    int flags = WriteFlags.FROM_SENDER | (isResponse ? WriteFlags.RESPONSE : 0);
    FlowResetFrame reset = new FlowResetFrame(id, flags, ResetReason.SOURCE_FAILED, text);
    if (isResponse) {
      frames.sendRare(reset);
      calls.serving().onAnswerBodyEnded(id, false);
      onBodySent(body);
    } else if (calls.find(id) instanceof PeerCall call) {
      calls.giveUp(call, reset, CallOutcome.SOURCE_FAILED, text);
    }
  }

  /** The peer says that a direction of a transfer is over. */
  void onReset(long transferId, int flags, int reason, String text) {
    boolean isResponse = (flags & WriteFlags.RESPONSE) != 0;
    boolean fromSender = (flags & WriteFlags.FROM_SENDER) != 0;
    if (isResponse == fromSender) {
      // This side began the call: the frame ends the request or the response of an own call.
      onCallReset(transferId, isResponse, reason, text);
    } else {
      onServedReset(transferId, isResponse, reason, text);
    }
  }

  private void onCallReset(long transferId, boolean isResponse, int reason, String text) {
    PeerCall call = (PeerCall) calls.find(transferId);
    if (call == null) {
      return;
    }
    BodyOpener opener = call.response();
    if (isResponse) {
      regions.discardAllOf(opener);
    }
    calls.failCall(transferId, outcomeOf(reason), text);
  }

  private void onServedReset(long transferId, boolean isResponse, int reason, String text) {
    ServedBody body = find(transferId);
    if (body == null) {
      if (!isResponse) {
        refuseLate(transferId, text);
      }
      return;
    }
    OutboundBody response = body.response;
    BodyOpener request = body.request;
    if (isResponse && response != null) {
      writes.abort(response);
      calls.serving().onAnswerBodyEnded(transferId, false);
      onBodySent(response);
    } else if (!isResponse && request != null) {
      request.fail(outcomeOf(reason), text);
      regions.discardAllOf(request);
    }
  }

  /** The end of a request has overtaken the beginning of the same request: refuses the request. */
  private void refuseLate(long transferId, String text) {
    if (calls.served().onRequest(transferId, 0) == ServedCalls.Arrival.NEW) {
      ServedCall call = calls.serving().servedCall(transferId);
      calls.serving().answer(call, CallStatus.SOURCE_FAILED, text);
    }
  }

  private static CallOutcome outcomeOf(int reason) {
    return switch (ResetReason.get((short) reason)) {
      case SOURCE_FAILED -> CallOutcome.SOURCE_FAILED;
      case TARGET_FAILED -> CallOutcome.TARGET_FAILED;
      case NOT_AUTHENTIC -> CallOutcome.NOT_AUTHENTIC;
      case TOO_LARGE -> CallOutcome.PAYLOAD_TOO_LARGE;
      default -> CallOutcome.PEER_RESET;
    };
  }

  /** A response without a body was taken over: the call is forgotten. */
  void onServedEnded(int slot, int generation) {
    ServedBody body = served.isEmpty() ? null : served.get(slot);
    if (body != null && TransferId.generation(body.transferId) == generation) {
      served.remove(slot);
    }
  }

  /**
   * The path is over: requests half received from the peer fail, and responses half sent are let
   * go.
   */
  void failAll(CallOutcome outcome, String text) {
    AllSteps.run(
        () -> AllSteps.forEach(served.values(), body -> end(body, outcome, text)),
        served::clear,
        this::closeShare);
  }

  private static void end(ServedBody body, CallOutcome outcome, String text) {
    BodyOpener request = body.request;
    if (request != null) {
      request.fail(outcome, text);
    }
    OutboundBody response = body.response;
    if (response != null) {
      response.finish();
    }
  }

  private void closeShare() {
    PeerShares.Share open = share;
    share = null;
    if (open != null) {
      bodies.shares().close(open);
    }
  }

  static byte[] bytes(String text) {
    return text.isEmpty() ? NO_BYTES : text.getBytes(UTF_8);
  }
}
