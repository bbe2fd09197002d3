package io.millrace.actor.peer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.actor.body.ArraySource;
import io.millrace.actor.body.BodySource;
import io.millrace.actor.submission.FailureText;
import io.millrace.crypto.Protection;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.codec.CallStatus;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The calls that this node serves on one path: which are new, who handles them, and how their
 * answers leave: inline, as a body, or as a refusal. On the worker's thread; does not allocate in
 * the steady state.
 */
final class PathServing {
  /** Of what peers begin while this node is drained. */
  static final String DRAINING = "the peer is about to shut down; this was not executed";

  private static final int MAX_TEXT_BYTES = 1_024;

  private final WorkerServices services;
  private final PeerPath path;
  private final PathTransfers transfers;
  private final PathCounters counters;
  private final ServedCalls served;
  private final PathExecutions executions;
  private boolean deferred;

  /** Whether a handler runs, or what waits is being begun: then no more of that is. */
  private boolean busy;

  PathServing(PeerPath path, PathTransfers transfers, ServedCalls served) {
    this.path = path;
    this.transfers = transfers;
    this.served = served;
    services = path.services();
    counters = services.counters();
    executions = new PathExecutions(services.settings().limits().concurrentTransfers());
  }

  /** What handlers have in hand, and what waits for them; to look at. */
  PathExecutions executions() {
    return executions;
  }

  /** A request arrived whose bytes {@link WorkerServices#inbound()} shows in {@code buffer}. */
  void onRequest(long transferId, long route, int priority, int pattern, UnsafeBuffer buffer) {
    InboundCall inbound = services.inbound();
    transfers.headers().requireTaken(inbound.headersLength());
    int cost = InlineCost.of(inbound.headersLength(), inbound.payloadLength());
    switch (served.onRequest(transferId, priority)) {
      case NEW -> {
        transfers.requireCredit(cost);
        transfers.bodies().onSlotTaken(TransferId.slot(transferId));
        counters.requestsServed++;
        counters.payloadBytesDelivered += inbound.headersLength() + inbound.payloadLength();
        if (PathStreams.isStream(pattern)) {
          transfers.consumed(cost);
          open(servedCall(transferId), route, pattern, buffer);
        } else {
          serve(servedCall(transferId), route, buffer, cost);
        }
      }
      case DUPLICATE, STALE -> counters.duplicateRequests++;
      case BEYOND_LIMIT -> throw new ProtocolViolationException(beyondLimit(transferId));
    }
  }

  private void open(ServedCall call, long route, int pattern, UnsafeBuffer buffer) {
    InboundCall inbound = services.inbound();
    byte[] headers = new byte[inbound.headersLength()];
    byte[] payload = new byte[inbound.payloadLength()];
    buffer.getBytes(inbound.headersOffset(), headers);
    buffer.getBytes(inbound.payloadOffset(), payload);
    transfers.streams().onOpening(call, route, pattern, headers, payload, false);
  }

  /**
   * The caller of this call has given it up; rule T-9. What came of it goes on without its answer,
   * or ends; it does not begin any more if it has not come.
   *
   * @param requestCostBytes what its request took of the credit for this side
   */
  void onGivenUp(long transferId, long requestCostBytes, String text) {
    int slot = TransferId.slot(transferId);
    switch (served.onRequest(transferId, 0)) {
      case NEW -> {
        transfers.account(requestCostBytes);
        transfers.bodies().onSlotTaken(slot);
        confirm(servedCall(transferId));
      }
      case DUPLICATE -> {
        ServedCall call = served.find(slot, TransferId.generation(transferId));
        if (call != null && transfers.bodies().giveUp(call, text)) {
          transfers.streams().onGivenUp(transferId, text);
          confirm(served.renew(call));
        }
      }
      case STALE -> {}
      case BEYOND_LIMIT -> throw new ProtocolViolationException(beyondLimit(transferId));
    }
  }

  /** Ahead of what waits for credit, because it needs none. */
  private void confirm(ServedCall call) {
    counters.callsAbandoned++;
    call.answer(CallStatus.CANCELLED.value(), 0, 0);
    served.onAnswered(call);
    transfers.queueAgain(call);
  }

  static String beyondLimit(long transferId) {
    return "slot " + TransferId.slot(transferId) + " is beyond the limit of transfers";
  }

  /** Takes a served call out of the worker's hands. */
  DeferredCall defer(ServedCall call, InboundCall inbound) {
    deferred = true;
    executions.onStarted();
    DeferredCall taken = services.takeDeferred();
    taken.start(path, call, inbound);
    call.work(taken);
    return taken;
  }

  /** The executor has answered. */
  void onDeferredAnswer(ServedCall call, CallStatus status, byte[] headers, byte[] payload) {
    executions.onEnded();
    if (call.isObsolete()) {
      served.onDropped(call);
    } else if (status != CallStatus.OK) {
      answer(call, status, payload);
    } else {
      answer(call, headers, payload);
    }
    serveWaiting();
  }

  /** Answers in a frame, or by a body if they do not fit one. */
  void answer(ServedCall call, byte[] headers, byte[] payload) {
    if (fitsFrame(headers.length, payload.length)) {
      call.answer(CallStatus.OK.value(), headers.length, payload.length);
      call.response().putBytes(0, headers);
      call.response().putBytes(headers.length, payload);
      queueAnswer(call);
    } else if (canAnswer(headers.length, payload.length)) {
      ArraySource source = new ArraySource(payload, 0, payload.length);
      answerByBody(call, headers, source, Protection.SEALED);
      // Its array stays until the caller has given room for it.
      served.onAnswered(call, headers.length + payload.length);
    } else {
      answerTooLarge(call, headers.length, payload.length);
      queueAnswer(call);
    }
  }

  /** The executor has answered with bytes that come from a source. */
  void onDeferredSource(ServedCall call, byte[] headers, BodySource source, Protection protection) {
    executions.onEnded();
    if (call.isObsolete()) {
      services.bodies().letGo(source);
      served.onDropped(call);
    } else if (!transfers.headers().allows(headers.length)) {
      services.bodies().letGo(source);
      answerTooLarge(call, headers.length, 0);
      queueAnswer(call);
    } else {
      answerByBody(call, headers, source, protection);
    }
    serveWaiting();
  }

  private void answerByBody(
      ServedCall call, byte[] headers, BodySource source, Protection protection) {
    call.answer(CallStatus.OK.value(), 0, 0);
    transfers.bodies().startResponse(call, headers, source, protection);
  }

  private boolean fitsFrame(int headersLength, int payloadLength) {
    return transfers.headers().allows(headersLength)
        && ServedCall.encodedLength(headersLength + payloadLength) <= path.size().maxFrameBytes();
  }

  /** Whether a response of these lengths fits a message. */
  boolean canAnswer(int headersLength, int payloadLength) {
    return transfers.headers().allows(headersLength)
        && headersLength + payloadLength <= services.settings().transfers().messageBytes();
  }

  /** Sets the answer that a response of these lengths does not fit; does not queue it. */
  void answerTooLarge(ServedCall call, int headersLength, int payloadLength) {
    String problem = transfers.headers().problem(headersLength);
    String text = problem == null ? overLimit(headersLength + payloadLength) : problem;
    set(call, CallStatus.RESPONSE_TOO_LARGE, text.getBytes(UTF_8));
  }

  /** Sets the answer that what was answered can no longer be sent; does not queue it. */
  void answerNoLongerFits(ServedCall call, String text) {
    set(call, CallStatus.RESPONSE_TOO_LARGE, text.getBytes(UTF_8));
  }

  /** Sets the answer that a call is not wanted; does not queue it. */
  void refuse(ServedCall call, String text) {
    set(call, CallStatus.REFUSED, PathBodies.bytes(text));
  }

  private void serve(ServedCall call, long route, UnsafeBuffer buffer, int cost) {
    InboundHandler handler = services.routes().find(route);
    if (services.isDraining()) {
      turnAway(call, cost, CallStatus.SHUTTING_DOWN, DRAINING);
    } else if (handler == null) {
      turnAway(call, cost, CallStatus.UNKNOWN_ROUTE, "nobody serves this route");
    } else {
      serve(handler, call, buffer, cost);
    }
  }

  private void turnAway(ServedCall call, int cost, CallStatus status, String text) {
    transfers.consumed(cost);
    answer(call, status, text);
  }

  /**
   * Runs the handler for a request whose place {@link WorkerServices#inbound()} knows, now or when
   * there is room. From then on the request costs no credit: the handler has it, or the queue of
   * the executor, which is bounded; rules C-4 and C-6.
   *
   * @param cost what it takes of this side's inline credit until then; 0 if it came as a body
   */
  void serve(InboundHandler handler, ServedCall call, UnsafeBuffer buffer, int cost) {
    InboundCall inbound = services.inbound();
    inbound.start(path, call, buffer);
    if (!served.canExecute()) {
      inbound.finish();
      turnAway(call, cost, CallStatus.OVERLOADED, "too many answers wait for their caller");
      return;
    }
    if (!executions.hasRoom()) {
      WaitingRequest request = new WaitingRequest(this, handler, call, inbound, cost);
      inbound.finish();
      executions.add(request);
      call.work(request);
      return;
    }
    boolean wasBusy = busy;
    busy = true;
    deferred = false;
    run(handler, call);
    busy = wasBusy;
    transfers.consumed(cost);
    if (!deferred) {
      if (!call.isAnswered()) {
        set(call, CallStatus.HANDLER_FAILED, "the handler did not answer".getBytes(UTF_8));
      }
      queueAnswer(call);
    }
  }

  /** A handler has ended, which may make room for requests that wait. */
  private void serveWaiting() {
    if (busy) {
      return;
    }
    busy = true;
    WaitingRequest next = executions.next();
    while (next != null) {
      InboundCall inbound = services.inbound();
      inbound.headers(0, next.headersLength);
      inbound.payload(next.headersLength, next.payloadLength);
      if (next.isScreened) {
        inbound.screened();
      }
      serve(next.handler, next.call, new UnsafeBuffer(next.bytes), next.costBytes);
      next = executions.next();
    }
    busy = false;
  }

  /** The caller of a request that waits gave it up. */
  void onWaitingAbandoned(WaitingRequest request) {
    executions.remove(request);
    transfers.consumed(request.costBytes);
    served.onDropped(request.call);
  }

  private void run(InboundHandler handler, ServedCall call) {
    InboundCall inbound = services.inbound();
    try {
      handler.onCall(inbound);
    } catch (RuntimeException | Error e) {
      if (!call.isAnswered() && !deferred) {
        set(call, CallStatus.HANDLER_FAILED, PathBodies.bytes(FailureText.of(e)));
      }
    } finally {
      inbound.finish();
    }
  }

  /** Answers with a status and a text. */
  void answer(ServedCall call, CallStatus status, String text) {
    answer(call, status, PathBodies.bytes(text));
  }

  private void answer(ServedCall call, CallStatus status, byte[] text) {
    set(call, status, text);
    queueAnswer(call);
  }

  void queueAnswer(ServedCall call) {
    served.onAnswered(call);
    call.setCosting(transfers.answersCost());
    if (call.encodedLength() > path.size().maxFrameBytes() || !transfers.isWorthWaiting(call)) {
      sendAsBody(call);
    } else {
      transfers.queue(call);
    }
  }

  void sendAsBody(ServedCall call) {
    byte[] headers = call.headersCopy();
    byte[] payload = call.takePayload();
    ArraySource source = new ArraySource(payload, 0, payload.length);
    transfers.bodies().startResponse(call, headers, source, Protection.SEALED);
  }

  private void set(ServedCall call, CallStatus status, byte[] text) {
    int length = Math.min(text.length, MAX_TEXT_BYTES);
    call.answer(status.value(), 0, length);
    call.response().putBytes(0, text, 0, length);
  }

  ServedCall servedCall(long transferId) {
    ServedCall call = served.find(TransferId.slot(transferId), TransferId.generation(transferId));
    if (call == null) {
      throw new IllegalStateException("a new call is not in its table");
    }
    return call;
  }

  String overLimit(int length) {
    return length
        + " bytes of headers and payload are more than millrace.transfers.message = "
        + services.settings().transfers().messageBytes();
  }
}
