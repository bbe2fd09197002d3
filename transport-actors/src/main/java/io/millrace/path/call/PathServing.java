package io.millrace.path.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.access.admission.Caller;
import io.millrace.body.ArraySource;
import io.millrace.ends.AllSteps;
import io.millrace.ends.FailureText;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.RequestHold;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.InlineCredit;
import io.millrace.path.packet.ItemOwner;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.causality.HeldTransfer;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.ServedCalls;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.protocol.transfer.TransferItem;
import io.millrace.transfer.BodySource;
import io.millrace.transfer.CallOutcome;
import io.millrace.transfer.Protection;
import io.millrace.wire.CausalPrefix;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.CloseReason;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls served by this node on one path: the new calls and their handlers. The answers leave
 * inline, as a body, or as a refusal; rules T-5 to T-9, C-4 and C-6. On the worker's thread; does
 * not allocate in the steady state.
 */
public final class PathServing implements ServedCall.Owner, InboundCall.Answering {
  private static final String DEPENDENCY_FAILED = "a dependency of the stream has failed";
  private static final int MAX_TEXT_BYTES = 1_024;

  private static final int MOST_PREFIX_BYTES = CausalPrefix.length(CausalPrefix.MOST_DEPENDENCIES);

  private final PathPackets path;
  private final PathFrames frames;
  private final InlineCredit credit;
  private final WorkerContext worker;
  private final WorkerCalls shared;
  private final PathCalls calls;
  private final ServedCalls served;
  private final PathExecutions executions;
  private final AnswerGrants grants;
  private @Nullable ServedCausality causality;
  private RequestBudget.@Nullable Share requests;

  /** The root of the failure of the call being answered now. */
  private long failedRoot;

  private boolean deferred;

  /**
   * Whether a handler runs, or a waiting request is being begun: then no other waiting request
   * begins.
   */
  private boolean busy;

  PathServing(PathPackets path, WorkerCalls shared, PathCalls calls) {
    this.path = path;
    this.shared = shared;
    this.calls = calls;
    frames = path.frames();
    credit = path.credit();
    worker = path.worker();
    int limit = worker.settings().limits().concurrentTransfers();
    served = new ServedCalls(limit, shared.answers(), this);
    executions = new PathExecutions(limit);
    grants = new AnswerGrants(path, served, this::sendAsBody);
    frames.onCredit(grants::onCredit);
  }

  /** The peer's share of the node's memory for requests. */
  RequestBudget.Share requests() {
    if (requests == null) {
      requests = shared.requests().open(path.identity().shareOf(path.peer()));
    }
    return requests;
  }

  /** The grants for answers that came with the requests. */
  AnswerGrants grants() {
    return grants;
  }

  /** The table of the open calls. */
  ServedCalls served() {
    return served;
  }

  /** Returns the owner of answers sent as frames, for their acknowledgements and losses. */
  ItemOwner responses() {
    return new Responses();
  }

  private final class Responses extends ItemOwner.OfFrames {
    private Responses() {
      super(frames);
    }

    @Override
    protected @Nullable ServedCall find(long item) {
      ServedCall call = served.find(TransferItem.slot(item), TransferItem.generation(item));
      return call != null && call.isAnswered() ? call : null;
    }

    @Override
    public boolean onItemAcked(long item) {
      ServedCall call = find(item);
      int contentLength = call == null ? 0 : call.contentLength();
      int slot = TransferItem.slot(item);
      int generation = TransferItem.generation(item);
      boolean isEnded = served.onResponseAcknowledged(slot, generation);
      if (isEnded) {
        worker.counters().payloadBytesAcknowledged += contentLength;
        calls.bodies().onServedEnded(slot, generation);
      }
      return isEnded;
    }
  }

  @Override
  public Caller caller() {
    return path.access().caller();
  }

  @Override
  public void onAnswerDropped(ServedCall call) {
    served.onDropped(call);
  }

  /**
   * The answer goes as a body, unless the answer was sent, for then the caller may have the answer.
   */
  @Override
  public void onAnswerUnsendable(ServedCall call) {
    int length = call.contentLength();
    if (!call.isCharged()) {
      sendAsBody(call);
    } else if (call.costBytes() > 0) {
      // Whether the peer counted the answer will never be known, so credit would be wrong for good.
      path.close(CloseReason.PEER_FAULT, CallOutcome.PEER_RESET, calls.noLongerFits(length));
    } else {
      call.withdrawAnswer();
      String text = calls.noLongerFits(length) + "; the call was executed";
      set(call, CallStatus.RESPONSE_TOO_LARGE, text.getBytes(UTF_8));
      queueAnswer(call);
    }
  }

  /** The calls with handlers, and the requests waiting for handlers; to look at. */
  PathExecutions executions() {
    return executions;
  }

  /**
   * A request arrived; {@link WorkerCalls#inbound()} shows the bytes of the request in {@code
   * buffer}.
   */
  public void onRequest(
      long transferId, long route, int priority, int pattern, SegmentBuffer buffer) {
    InboundCall inbound = shared.inbound();
    int longest = (pattern & CausalPrefix.FLAG) == 0 ? 0 : MOST_PREFIX_BYTES;
    calls.headers().requireTaken(inbound.headersLength() - longest);
    int cost = InlineCost.of(inbound.headersLength(), inbound.payloadLength());
    switch (served.onRequest(transferId, priority)) {
      case NEW -> {
        credit.require(cost);
        calls.bodies().onSlotTaken(TransferId.slot(transferId));
        worker.counters().requestsServed++;
        int arrived = inbound.headersLength() + inbound.payloadLength();
        worker.counters().payloadBytesDelivered += arrived;
        worker.counters().data().transferServed(path.pathId(), transferId, priority, arrived);
        begin(servedCall(transferId), route, pattern, buffer, cost);
        // The request may have left without a handler: as a stream, held, or turned away.
        finish(inbound);
        serveWaiting();
      }
      case DUPLICATE, STALE -> {
        worker.counters().duplicateRequests++;
        path.recovery().onAsked();
      }
      case BEYOND_LIMIT -> throw new ProtocolViolationException(beyondLimit(transferId));
    }
  }

  private void begin(ServedCall call, long route, int pattern, SegmentBuffer buffer, int cost) {
    InboundCall inbound = shared.inbound();
    boolean isCausal = (pattern & CausalPrefix.FLAG) != 0;
    int kind = pattern & ~CausalPrefix.FLAG;
    boolean isStream = StreamOpenings.isStream(kind);
    if (isCausal) {
      onCausal(call, buffer);
    }
    if (isStream) {
      open(call, opening(call, route, kind, buffer, isCausal), cost, isCausal);
    } else if (!isCausal || !isHeld(call, route, buffer, cost)) {
      inbound.token(isCausal ? causality().token(call.transferId()) : null);
      serve(call, route, buffer, cost);
    }
  }

  /** Takes the dependencies of the request from the front of the headers. */
  private void onCausal(ServedCall call, SegmentBuffer buffer) {
    InboundCall inbound = shared.inbound();
    int prefix =
        causality()
            .onArrived(call.transferId(), buffer, inbound.headersOffset(), inbound.headersLength());
    call.causal();
    int length = inbound.headersLength() - prefix;
    calls.headers().requireTaken(length);
    inbound.headers(inbound.headersOffset() + prefix, length);
  }

  private ServedCausality causality() {
    ServedCausality own = causality;
    if (own == null) {
      own = new ServedCausality(worker.causality(), path.identity().shareOf(path.peer()));
      causality = own;
    }
    return own;
  }

  private boolean isHeld(ServedCall call, long route, SegmentBuffer buffer, int cost) {
    if (!causality().hasDependencies() || isDenied(route)) {
      return false;
    }
    HeldRequest request =
        new HeldRequest(call, route, shared.inbound(), buffer, cost, this::onHeldAbandoned);
    if (!causality().hold(request)) {
      return false;
    }
    if (request.isWaiting()) {
      call.work(request);
      worker.counters().requestsHeld++;
    } else {
      onHeldFailed(request);
    }
    return true;
  }

  private void onHeldAbandoned(HeldRequest request) {
    causality().abandon(request);
    if (!isOver()) {
      credit.onConsumed(request.costBytes);
      served.onDropped(request.call);
    }
  }

  /**
   * The dependency of the request has failed: the request fails for the same root, unexecuted; rule
   * D-8.
   */
  private void onHeldFailed(HeldRequest request) {
    credit.onConsumed(request.costBytes);
    byte[] root = new byte[Long.BYTES];
    new SegmentBuffer(root).putLong(0, request.root(), ByteOrder.LITTLE_ENDIAN);
    failedRoot = request.root();
    try {
      answer(request.call, CallStatus.DEPENDENCY_FAILED, root, 0);
    } finally {
      failedRoot = 0;
    }
  }

  private void serve(HeldTransfer ready) {
    if (ready instanceof HeldOpening opening) {
      offer(opening);
    } else if (ready instanceof HeldRequest request) {
      if (request.root() != 0) {
        onHeldFailed(request);
        return;
      }
      request.call.work(null);
      InboundCall inbound = shared.inbound();
      inbound.show(0, request.headersLength, request.headersLength, request.payloadLength);
      inbound.token(causality().token(request.transferId));
      serve(request.call, request.route, request.takeBytes(), request.costBytes);
    }
  }

  @Override
  public void onCausalAnswered(long transferId, boolean isWell) {
    causality().onEnded(transferId, isWell, failedRoot);
  }

  /** Both flows of a stream of the peer have ended. */
  public void onStreamOver(long transferId, boolean isSuccess) {
    if (causality != null) {
      causality.onEnded(transferId, isSuccess, 0);
      serveWaiting();
    }
  }

  /** The body of an answer has arrived, or never will. */
  void onAnswerBodyEnded(long transferId, boolean isWell) {
    ServedCall call = served.find(TransferId.slot(transferId), TransferId.generation(transferId));
    if (call != null && causality != null) {
      call.tellAnswered(isWell);
      serveWaiting();
    }
  }

  private StreamOpenings.Opening opening(
      ServedCall call, long route, int pattern, SegmentBuffer buffer, boolean isCausal) {
    InboundCall inbound = shared.inbound();
    RequestHold memory = requests().hold(inbound.headersLength() + inbound.payloadLength());
    byte[] headers = new byte[memory == null ? 0 : inbound.headersLength()];
    byte[] payload = new byte[memory == null ? 0 : inbound.payloadLength()];
    buffer.getBytes(inbound.headersOffset(), headers);
    buffer.getBytes(inbound.payloadOffset(), payload);
    return new StreamOpenings.Opening(
        route,
        pattern,
        headers,
        payload,
        /* isScreened= */ false,
        isCausal ? causality().token(call.transferId()) : null,
        memory);
  }

  /** Opens a stream whose opening came as a body. */
  void open(ServedCall call, StreamOpenings.Opening opening) {
    open(call, opening, 0, /* isCausal= */ false);
  }

  private void open(ServedCall call, StreamOpenings.Opening opening, int cost, boolean isCausal) {
    HeldOpening held = new HeldOpening(opening.memory(), cost, this::onOpeningOver);
    call.work(held);
    calls
        .streams()
        .onOpening(call, opening, (offer, refuse) -> pass(held, isCausal, offer, refuse));
  }

  /** Offers a stream as soon as the stream need not wait, perhaps at once. */
  private void pass(HeldOpening held, boolean isCausal, Runnable offer, Consumer<String> refuse) {
    held.await(offer, refuse);
    if (isCausal && causality().hasDependencies() && causality().hold(held) && held.isWaiting()) {
      worker.counters().requestsHeld++;
    } else {
      offer(held);
    }
  }

  private void offer(HeldOpening opening) {
    if (opening.isOver()) {
      return;
    }
    onConsumed(opening);
    if (opening.root() == 0) {
      opening.offer();
    } else {
      opening.refuse(DEPENDENCY_FAILED);
    }
  }

  private void onConsumed(HeldOpening opening) {
    int cost = opening.takeCost();
    if (cost > 0) {
      credit.onConsumed(cost);
    }
  }

  /** A stream is over: a stream still waiting for answers to other calls waits no more. */
  private void onOpeningOver(HeldOpening opening) {
    if (opening.isWaiting()) {
      causality().abandon(opening);
    }
    if (!isOver()) {
      onConsumed(opening);
    }
  }

  /** The path has ended. */
  void forgetAll() {
    AllSteps.run(served::forgetAll, grants::close, this::closeCausality, this::closeRequests);
  }

  private void closeCausality() {
    ServedCausality own = causality;
    causality = null;
    if (own != null) {
      own.close();
    }
  }

  /** Closed last, since the ends of requests give memory back. */
  private void closeRequests() {
    RequestBudget.Share own = requests;
    requests = null;
    if (own != null) {
      own.close();
    }
  }

  /**
   * The caller has given this call up; rule T-9. A request under execution goes on without its
   * answer, or ends; a request not yet here never begins.
   *
   * @param requestCostBytes the credit for this side taken by the request
   */
  void onGivenUp(long transferId, long requestCostBytes, long number, String text) {
    int slot = TransferId.slot(transferId);
    if (number != 0) {
      causality().onGivenUp(number);
    }
    switch (served.onRequest(transferId, 0)) {
      case NEW -> {
        credit.account(requestCostBytes);
        calls.bodies().onSlotTaken(slot);
        confirm(servedCall(transferId));
      }
      case DUPLICATE -> {
        ServedCall call = served.find(slot, TransferId.generation(transferId));
        if (call != null && calls.bodies().giveUp(call, text)) {
          calls.streams().onGivenUp(transferId, text);
          confirm(served.renew(call));
        } else if (served.isParked(slot, TransferId.generation(transferId))) {
          confirm(served.renewParked(slot));
        }
      }
      case STALE -> {}
      case BEYOND_LIMIT -> throw new ProtocolViolationException(beyondLimit(transferId));
    }
    serveWaiting();
  }

  /** Goes ahead of the frames waiting for credit, because this answer needs no credit. */
  private void confirm(ServedCall call) {
    worker.counters().callsAbandoned++;
    call.answer(CallStatus.CANCELLED.value(), 0, 0);
    served.onAnswered(call);
    frames.queueFirst(call);
  }

  static String beyondLimit(long transferId) {
    return "slot " + TransferId.slot(transferId) + " is beyond the limit of transfers";
  }

  @Override
  public DeferredAnswer.Parties parties(@Nullable DeferredHandler handler) {
    return executions.parties(handler, path.access().caller());
  }

  @Override
  public DeferredCall defer(ServedCall call, InboundCall inbound) {
    DeferredCall taken = shared.takeDeferred();
    taken.start(this, inbound, requests());
    // From here on the deferred call has to answer.
    deferred = true;
    executions.onStarted();
    served.park(call, taken);
    return taken;
  }

  @Override
  public @Nullable ServedCall resume(DeferredCall work) {
    return served.resume(work);
  }

  @Override
  public void onDeferredAnswer(@Nullable ServedCall call, DeferredCall.Answer answer) {
    executions.onEnded();
    if (call != null) {
      BodySource source = answer.source();
      if (source != null) {
        answer(call, answer.headers(), source, answer.protection());
      } else if (answer.status() != CallStatus.OK) {
        answer(call, answer.status(), answer.payload(), shared.retryAfterMs(answer));
      } else {
        answer(call, answer.headers(), answer.payload());
      }
    }
    serveWaiting();
  }

  /** Answers in a frame, or by a body for an answer too large for a frame. */
  void answer(ServedCall call, byte[] headers, byte[] payload) {
    if (fitsFrame(headers.length, payload.length)) {
      call.answer(CallStatus.OK.value(), headers.length, payload.length);
      call.response().putBytes(0, headers);
      call.response().putBytes(headers.length, payload);
      queueAnswer(call);
    } else if (canAnswer(headers.length, payload.length)) {
      ArraySource source = new ArraySource(payload, 0, payload.length);
      answerByBody(call, headers, source, Protection.SEALED);
      // The array of the answer stays until the caller has given room for the answer.
      served.onAnswered(call, headers.length + payload.length);
    } else {
      answerTooLarge(call, headers.length, payload.length);
      queueAnswer(call);
    }
  }

  private void answer(ServedCall call, byte[] headers, BodySource source, Protection protection) {
    if (calls.headers().allows(headers.length)) {
      answerByBody(call, headers, source, protection);
    } else {
      worker.bodies().letGo(source);
      answerTooLarge(call, headers.length, 0);
      queueAnswer(call);
    }
  }

  private void answerByBody(
      ServedCall call, byte[] headers, BodySource source, Protection protection) {
    call.answer(CallStatus.OK.value(), 0, 0);
    calls.bodies().startResponse(call, headers, source, protection);
  }

  private boolean fitsFrame(int headersLength, int payloadLength) {
    return calls.headers().allows(headersLength)
        && ServedCall.encodedLength(headersLength + payloadLength) <= path.size().maxFrameBytes();
  }

  @Override
  public boolean canAnswer(int headersLength, int payloadLength) {
    return calls.headers().allows(headersLength)
        && headersLength + payloadLength <= worker.settings().transfers().messageBytes();
  }

  @Override
  public void answerTooLarge(ServedCall call, int headersLength, int payloadLength) {
    String problem = calls.headers().problem(headersLength);
    String text = problem == null ? overLimit(headersLength + payloadLength) : problem;
    set(call, CallStatus.RESPONSE_TOO_LARGE, text.getBytes(UTF_8));
  }

  @Override
  public void refuse(ServedCall call, String text) {
    set(call, CallStatus.REFUSED, PathBodies.bytes(text));
  }

  private void serve(ServedCall call, long route, SegmentBuffer buffer, int cost) {
    InboundHandler handler = shared.routes().find(route);
    if (worker.isDraining()) {
      turnAway(call, cost, CallStatus.SHUTTING_DOWN, StreamOpenings.DRAINING);
    } else if (handler == null) {
      turnAway(call, cost, CallStatus.UNKNOWN_ROUTE, shared.routes().unserved(route));
    } else {
      String denial = path.access().denial(route, handler.pattern());
      if (denial == null) {
        serve(handler, call, buffer, cost);
      } else {
        turnAway(call, cost, CallStatus.NOT_AUTHORISED, denial);
      }
    }
  }

  /** A denied request does not wait for other calls first. */
  private boolean isDenied(long route) {
    InboundHandler handler = shared.routes().find(route);
    return handler != null && path.access().isDenied(route, handler.pattern());
  }

  private void turnAway(ServedCall call, int cost, CallStatus status, String text) {
    finish(shared.inbound());
    credit.onConsumed(cost);
    answer(call, status, text);
  }

  /**
   * Runs the handler for the request shown by {@link WorkerCalls#inbound()}, now or when the path
   * has room. From then on the request costs no credit: the handler or the bounded queue of the
   * executor has the request; rules C-4 and C-6.
   *
   * @param cost the inline credit of this side taken by the request until then; 0 for a request
   *     received as a body
   */
  void serve(InboundHandler handler, ServedCall call, SegmentBuffer buffer, int cost) {
    InboundCall inbound = shared.inbound();
    inbound.start(this, call, buffer);
    if (!served.canExecute()) {
      turnAway(call, cost, CallStatus.OVERLOADED, InboundCall.ANSWERS_WAIT);
      return;
    }
    if (!executions.hasRoom()) {
      PathExecutions.Waiting request =
          new PathExecutions.Waiting(this::onWaitingAbandoned, handler, call, inbound, cost);
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
    credit.onConsumed(cost);
    if (!deferred) {
      if (!call.isAnswered()) {
        set(call, CallStatus.HANDLER_FAILED, "the handler did not answer".getBytes(UTF_8));
      }
      queueAnswer(call);
    }
  }

  /** A handler has ended, or a request: waiting requests may have room, or reason, to begin. */
  private void serveWaiting() {
    if (busy) {
      return;
    }
    busy = true;
    try {
      serveAllWaiting();
    } finally {
      busy = false;
    }
  }

  private void serveAllWaiting() {
    PathExecutions.Waiting next = executions.next();
    while (next != null) {
      InboundCall inbound = shared.inbound();
      inbound.show(0, next.headersLength, next.headersLength, next.payloadLength);
      if (next.isScreened) {
        inbound.screened();
      }
      inbound.token(next.token);
      inbound.held(next.heldBytes);
      serve(next.handler, next.call, new SegmentBuffer(next.bytes), next.costBytes);
      next = executions.next();
    }
    ServedCausality present = causality;
    HeldTransfer ready;
    while (present != null && (ready = present.poll()) != null) {
      serve(ready);
    }
  }

  /**
   * Nobody waits for the answer to a waiting request; the requests of an ended path go with the
   * path.
   */
  private void onWaitingAbandoned(PathExecutions.Waiting request) {
    executions.remove(request);
    giveBack(request.heldBytes);
    if (!isOver()) {
      credit.onConsumed(request.costBytes);
      served.onDropped(request.call);
    }
  }

  private void run(InboundHandler handler, ServedCall call) {
    InboundCall inbound = shared.inbound();
    try {
      handler.onCall(inbound);
    } catch (RuntimeException | Error e) {
      if (!deferred && !call.isAnswered()) {
        set(call, CallStatus.HANDLER_FAILED, PathBodies.bytes(FailureText.of(e)));
      }
    } finally {
      finish(inbound);
    }
  }

  /** Gives back the memory set aside for the request, not taken by a handler. */
  private void finish(InboundCall inbound) {
    giveBack(inbound.takeHeld());
    inbound.finish();
  }

  private void giveBack(long heldBytes) {
    if (heldBytes > 0) {
      requests().giveBack(heldBytes);
    }
  }

  @Override
  public boolean canExecute(RequestBudget.Share share) {
    return served.canExecute(share.ownAnsweringBytes(), shared.requests().answeringBytes());
  }

  /** Answers with a status and a text. */
  void answer(ServedCall call, CallStatus status, String text) {
    answer(call, status, PathBodies.bytes(text), 0);
  }

  private void answer(ServedCall call, CallStatus status, byte[] text, int retryAfterMs) {
    set(call, status, text);
    call.retryAfter(retryAfterMs);
    queueAnswer(call);
  }

  private void queueAnswer(ServedCall call) {
    served.onAnswered(call);
    grants.send(call);
  }

  private void sendAsBody(ServedCall call) {
    byte[] headers = call.headersCopy();
    byte[] payload = call.takePayload();
    ArraySource source = new ArraySource(payload, 0, payload.length);
    calls.bodies().startResponse(call, headers, source, Protection.SEALED);
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
        + worker.settings().transfers().messageBytes();
  }

  @Override
  public boolean isOver() {
    return path.isOver();
  }

  @Override
  public void onFault(Throwable fault) {
    path.onFault(fault);
  }
}
