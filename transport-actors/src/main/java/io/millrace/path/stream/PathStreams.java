package io.millrace.path.stream;

import io.millrace.access.admission.PathAccess;
import io.millrace.body.RequestScreen;
import io.millrace.config.TransportSettings;
import io.millrace.ends.AllSteps;
import io.millrace.ends.ElementOutlet;
import io.millrace.ends.ElementStream;
import io.millrace.ends.PathCounters;
import io.millrace.ends.PathElements;
import io.millrace.ends.RequestBudget;
import io.millrace.ends.StreamBudget;
import io.millrace.path.call.PathCalls;
import io.millrace.path.call.PeerCall;
import io.millrace.path.call.StreamOpenings;
import io.millrace.path.packet.InlineCredit;
import io.millrace.path.packet.PacketItems;
import io.millrace.path.packet.PathContext;
import io.millrace.path.packet.PathFrames;
import io.millrace.path.packet.PathPackets;
import io.millrace.path.packet.PathSize;
import io.millrace.path.packet.WorkerContext;
import io.millrace.protocol.stream.StreamSender;
import io.millrace.protocol.stream.StreamWindow;
import io.millrace.protocol.transfer.OutboundCall;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CallStatus;
import java.util.ArrayDeque;
import org.agrona.collections.Int2IntHashMap;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one path: the stream of each id, the beginning and end of streams, and the queues
 * of their frames. Rules S-1 to S-11. Worker's thread only.
 */
public final class PathStreams implements StreamOpenings {
  private static final int LONGEST_FRAME = 32 << 10;
  private static final int NO_GENERATION = -1;

  private final PathContext path;
  private final PathSize size;
  private final PathFrames sending;
  private final InlineCredit credit;
  private final PathCalls calls;
  private final WorkerContext worker;
  private final StreamBudget budget;
  private final StreamRoutes routes;
  private final StreamWindow requests;
  private final StreamWindow responses;
  private final StreamFrames frames = new StreamFrames();
  private final ArrayDeque<PathStream> starved = new ArrayDeque<>();
  private final CloseAcks closeAcks = new CloseAcks(frames);
  private final Int2ObjectHashMap<PathStream> served = new Int2ObjectHashMap<>();

  /**
   * For each slot, the generation of the last opening refused in an answer, while a close may tell
   * the cost of the segments sent behind the opening; rule S-11.
   */
  private final Int2IntHashMap refusals = new Int2IntHashMap(NO_GENERATION);

  private @Nullable PathElements elements;

  /** No stream is open yet. */
  public PathStreams(PathPackets path, PathCalls calls, StreamBudget budget, StreamRoutes routes) {
    this.path = path;
    this.calls = calls;
    this.budget = budget;
    this.routes = routes;
    size = path.size();
    sending = path.frames();
    credit = path.credit();
    worker = path.worker();
    path.own(PacketItems.STREAM, frames.items(sending, this::onArrived));
    sending.onCredit(this::onCredit);
    TransportSettings settings = worker.settings();
    requests = window(settings, settings.transfers().messageBytes());
    responses = window(settings, settings.limits().headersBytes());
  }

  private static StreamWindow window(TransportSettings settings, int firstBytes) {
    return new StreamWindow(
        settings.streams().windowElements(),
        settings.streams().windowBytes(),
        settings.transfers().messageBytes(),
        firstBytes);
  }

  StreamFrames frames() {
    return frames;
  }

  PathCounters counters() {
    return worker.counters();
  }

  /** Memory for elements received on this path. */
  PathElements elements() {
    PathElements own = elements;
    if (own == null) {
      own = budget.open(path.identity().shareOf(path.peer()));
      elements = own;
    }
    return own;
  }

  /** The number of open streams of the peer. */
  public int servedCount() {
    return served.size();
  }

  @Override
  public void onOpened(PeerCall opened, boolean isBody) {
    if (opened instanceof StreamCall call) {
      start(call, isBody);
    }
  }

  @Override
  public void onSentAsBody(PeerCall opening) {
    PathStream stream = of(opening);
    if (stream != null) {
      stream.hold();
    }
  }

  @Override
  public void onRequestTaken(PeerCall opening) {
    PathStream stream = of(opening);
    if (stream != null) {
      stream.onOpeningTaken();
    }
  }

  @Override
  public boolean giveUp(PeerCall opening, CallOutcome outcome, String text) {
    if (!(opening instanceof StreamCall call)) {
      return false;
    }
    call.ends().giveUp(outcome, text);
    return true;
  }

  private static @Nullable PathStream of(OutboundCall opening) {
    return opening instanceof StreamCall call ? call.stream() : null;
  }

  @Override
  public boolean owesCost(OutboundCall opening) {
    PathStream stream = of(opening);
    return stream != null && stream.owesCost();
  }

  @Override
  public boolean isRefused(OutboundCall opening) {
    PathStream stream = of(opening);
    return stream != null && stream.isRefused();
  }

  @Override
  public void onRefusal(long transferId) {
    refusals.put(TransferId.slot(transferId), TransferId.generation(transferId));
  }

  /** A stream of this node has its id, and the opening is queued, or on the way as a body. */
  private void start(StreamCall call, boolean isBody) {
    PathStream stream =
        new PathStream(
            this, call.transferId(), call, call.pattern(), call.priority(), responses, call.ends());
    call.stream(stream);
    if (isBody) {
      stream.hold();
    }
    stream.start();
  }

  @Override
  public void onOpening(ServedCall call, Opening opening, Gate gate) {
    ElementStream ends =
        new ElementStream(
            worker::giveBack, call.priority(), worker.settings(), /* isServed= */ true);
    long id = call.transferId();
    PathStream stream =
        new PathStream(this, id, null, opening.pattern(), call.priority(), requests, ends);
    PathStream before = served.put(TransferId.slot(id), stream);
    if (before != null) {
      giveUp(before, CallOutcome.PEER_RESET, "the peer gave the stream up");
    }
    StreamOffer offer =
        new StreamOffer(path.access().caller(), call.priority(), opening, calls.headers(), ends);
    if (path.access().isStreamDenied(opening.route(), opening.pattern())) {
      offer(offer);
    } else {
      gate.pass(() -> offer(offer), text -> offer.refuse(CallStatus.DEPENDENCY_FAILED, text));
    }
    stream.start();
  }

  private void offer(StreamOffer offer) {
    if (offer.opening().memory() == null) {
      offer.refuse(CallStatus.OVERLOADED, RequestBudget.FULL);
      return;
    }
    StreamAcceptor acceptor =
        routes.findStreams(offer.opening().route(), offer.opening().pattern());
    if (worker.isDraining()) {
      offer.refuse(CallStatus.SHUTTING_DOWN, StreamOpenings.DRAINING);
    } else if (acceptor == null) {
      String asked = PathAccess.patternOf(offer.opening().pattern()).text();
      String problem = routes.unserved(offer.opening().route(), asked);
      offer.refuse(CallStatus.UNKNOWN_ROUTE, problem);
    } else {
      String denial =
          path.access().streamDenial(offer.opening().route(), offer.opening().pattern());
      if (denial == null) {
        acceptor.onStream(offer);
      } else {
        offer.refuse(CallStatus.NOT_AUTHORISED, denial);
      }
    }
  }

  private static void giveUp(PathStream stream, CallOutcome outcome, String text) {
    stream.onGone();
    stream.ends().fail(outcome, text);
  }

  @Override
  public void onGivenUp(long transferId, String text) {
    PathStream stream = find(transferId, false);
    if (stream != null) {
      served.remove(TransferId.slot(transferId));
      giveUp(stream, CallOutcome.CANCELLED, text);
    }
  }

  /** The stream of a frame, or null for an ended stream. */
  @Nullable PathStream find(long transferId, boolean isOpener) {
    if (isOpener) {
      return calls.find(transferId) instanceof StreamCall call && !call.isGivenUp()
          ? call.stream()
          : null;
    }
    PathStream stream = served.get(TransferId.slot(transferId));
    return stream != null && stream.transferId() == transferId ? stream : null;
  }

  /**
   * Whether a frame of the peer's own stream came ahead of the stream. The opening may still be on
   * the way. Or the opening came as a body, and the application's thread has not handed the stream
   * over yet.
   */
  boolean isEarly(long transferId) {
    int slot = TransferId.slot(transferId);
    return calls.served().isAhead(transferId)
        || calls.served().isExecuting(slot, TransferId.generation(transferId));
  }

  @Override
  public RequestScreen screen(long route, int pattern) {
    StreamAcceptor acceptor = routes.findStreams(route, pattern);
    return acceptor == null ? RequestScreen.NONE : acceptor.screen();
  }

  /** The application has acted on its side of the stream. */
  void proceed(PathStream stream) {
    if (!path.isOver()) {
      try {
        stream.proceed();
      } catch (RuntimeException | Error e) {
        path.onFault(e);
      }
    }
  }

  /** Queues the next segment of a stream, if a segment may go. */
  boolean sendSegment(PathStream stream, StreamSender sender, ElementOutlet outlet) {
    if (sending.isShortOfCredit()) {
      if (!stream.isStarved()) {
        stream.starved(true);
        starved.addLast(stream);
      }
      return false;
    }
    StreamDataFrame frame = frames.takeData();
    int most = Math.min(size.datagramBytes() - PacketHeader.OVERHEAD, LONGEST_FRAME);
    int paid = StreamDataFrame.FIXED_LENGTH + sending.mostSegmentBytes();
    frame.start(stream, Math.min(most, paid));
    if (!sender.fill(outlet, frame.segment())) {
      frame.onForgotten();
      return false;
    }
    queueInOrder(stream, frame);
    return true;
  }

  /** The peer takes more: streams waiting for credit go on in turn. */
  private void onCredit() {
    int left = starved.size();
    while (left > 0 && !sending.isShortOfCredit()) {
      left--;
      PathStream stream = starved.removeFirst();
      stream.starved(false);
      proceed(stream);
    }
  }

  /** Queues a frame behind the frames of the same stream and level. */
  void queueInOrder(PathStream stream, StreamFrame frame) {
    frames.add(frame, stream.priority());
    sending.queue(frame);
  }

  /** Queues a frame in front of all other frames, unless the stream's opening has not gone yet. */
  void queueControl(PathStream stream, StreamFrame frame) {
    if (stream.isOpeningSent()) {
      frames.add(frame, 0);
      sending.queueFirst(frame);
    } else {
      frames.add(frame, stream.priority());
      PeerCall opening = stream.call();
      if (opening != null && sending.isWaiting(opening)) {
        // Openings of other streams may need the credit brought back by this frame alone.
        sending.queueBehind(opening, frame);
      } else {
        sending.queue(frame);
      }
    }
  }

  /** In front of frames waiting for credit, which may depend on the effect of this frame. */
  void queueBehindOpening(@Nullable PeerCall opening, StreamFrame frame) {
    if (opening != null && sending.isWaiting(opening) && opening.isCharged()) {
      sending.queueBehind(opening, frame);
    } else {
      sending.queue(frame);
    }
  }

  /** Whether the frame waits to go, and was not set aside. */
  boolean isWaiting(OutboundFrame frame) {
    return sending.isWaiting(frame);
  }

  /** Tells the peer that this side has all wanted elements of a flow. */
  void acknowledgeClose(long transferId, boolean isResponse) {
    StreamFrame frame = closeAcks.add(transferId, isResponse);
    if (frame != null) {
      sending.queueFirst(frame);
    }
  }

  /**
   * The peer closed a flow of a stream that is over.
   *
   * @return false if the close must count as not received: too many acknowledgements wait, and the
   *     peer will close again
   */
  boolean acknowledgeAgain(long transferId, boolean isResponse) {
    if (!closeAcks.canRepeat(transferId, isResponse)) {
      return false;
    }
    if (!closeAcks.isPending(transferId, isResponse)) {
      acknowledgeClose(transferId, isResponse);
    }
    return true;
  }

  /**
   * The peer has closed its own flow of a stream that this side does not have. The first close of a
   * refused stream tells the credit taken by the segments, of which this side counted none; rule
   * S-11.
   */
  void onCloseWithoutStream(long transferId, long costBytes) {
    int slot = TransferId.slot(transferId);
    if (refusals.get(slot) == TransferId.generation(transferId)) {
      refusals.remove(slot);
      account(costBytes);
    }
  }

  CloseAcks closeAcks() {
    return closeAcks;
  }

  /** The sender paid this much for bytes not kept here any more. */
  void account(long costBytes) {
    credit.account(costBytes);
  }

  private void onArrived(int bytes) {
    counters().payloadBytesAcknowledged += bytes;
  }

  void onDelivered(int bytes) {
    worker.counters().payloadBytesDelivered += bytes;
  }

  /** Both flows of a stream have ended. */
  void onOver(PathStream stream) {
    long id = stream.transferId();
    PeerCall call = stream.call();
    if (call != null) {
      call.onOutcome(stream.outcome());
      calls.end(call);
    } else {
      served.remove(TransferId.slot(id), stream);
      calls.serving().onStreamOver(id, stream.outcome() == CallOutcome.OK);
      calls.served().onStreamOver(TransferId.slot(id), TransferId.generation(id));
    }
  }

  @Override
  public void failAll(CallOutcome outcome, String text) {
    AllSteps.run(
        () -> AllSteps.forEach(served.values(), stream -> giveUp(stream, outcome, text)),
        served::clear,
        this::closeElements);
  }

  private void closeElements() {
    PathElements open = elements;
    elements = null;
    if (open != null) {
      open.close();
    }
  }
}
