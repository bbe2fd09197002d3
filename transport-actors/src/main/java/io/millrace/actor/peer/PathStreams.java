package io.millrace.actor.peer;

import io.millrace.config.TransportSettings;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.stream.StreamSender;
import io.millrace.protocol.stream.StreamWindow;
import io.millrace.protocol.transfer.CallOutcome;
import io.millrace.protocol.transfer.OutboundFrame;
import io.millrace.protocol.transfer.ServedCall;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.codec.CallStatus;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one path: which belong to which id, how they begin and end, and where their frames
 * wait. Rules S-1 to S-10. Worker's thread only.
 */
final class PathStreams {
  private static final int LONGEST_FRAME = 32 << 10;

  private final PeerPath path;
  private final PathTransfers transfers;
  private final WorkerServices services;
  private final StreamWindow requests;
  private final StreamWindow responses;
  private final StreamFrames frames = new StreamFrames();
  private final ArrayDeque<PathStream> starved = new ArrayDeque<>();
  private final CloseAcks closeAcks = new CloseAcks(frames);
  private final Int2ObjectHashMap<PathStream> served = new Int2ObjectHashMap<>();
  private @Nullable PathElements elements;

  PathStreams(PeerPath path, PathTransfers transfers) {
    this.path = path;
    this.transfers = transfers;
    services = path.services();
    TransportSettings settings = services.settings();
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
    return services.counters();
  }

  /** Memory for elements that have arrived. */
  PathElements elements() {
    PathElements own = elements;
    if (own == null) {
      own = services.elements().open(path.peer());
      elements = own;
    }
    return own;
  }

  /** Streams of the peer that are open. */
  int servedCount() {
    return served.size();
  }

  /** Whether a call's opening must not go as a frame of its own: what follows would overtake it. */
  boolean isTooLong(PeerCall call) {
    return call instanceof StreamCall && !path.size().canCarry(call.encodedLength());
  }

  /** A stream of this node has its id, and its opening is queued, or on its way as a body. */
  void start(StreamCall call, boolean isBody) {
    PathStream stream =
        new PathStream(
            this, call.transferId(), call, call.pattern(), call.priority(), responses, call.ends());
    call.stream(stream);
    if (isBody) {
      stream.hold();
    }
    stream.start();
  }

  /** The peer opened a stream. */
  void onOpening(
      ServedCall call,
      long route,
      int pattern,
      byte[] headers,
      byte[] payload,
      boolean isScreened) {
    ElementStream ends =
        new ElementStream(
            services::giveBack, call.priority(), services.settings(), /* isServed= */ true);
    long id = call.transferId();
    PathStream stream = new PathStream(this, id, null, pattern, call.priority(), requests, ends);
    PathStream before = served.put(TransferId.slot(id), stream);
    if (before != null) {
      giveUp(before, CallOutcome.PEER_RESET, "the peer gave the stream up");
    }
    StreamOffer offer =
        new StreamOffer(
            path.peer(), call.priority(), headers, payload, isScreened, transfers.headers(), ends);
    StreamAcceptor acceptor = services.routes().findStreams(route, pattern);
    if (services.isDraining()) {
      offer.refuse(CallStatus.SHUTTING_DOWN, PathServing.DRAINING);
    } else if (acceptor == null) {
      offer.refuse(CallStatus.UNKNOWN_ROUTE, "nobody serves streams of this route so");
    } else {
      acceptor.onStream(offer);
    }
    stream.start();
  }

  private static void giveUp(PathStream stream, CallOutcome outcome, String text) {
    stream.onGone();
    stream.ends().fail(outcome, text);
  }

  /** The peer gave the call up that opened a stream, if it did. */
  void onGivenUp(long transferId, String text) {
    PathStream stream = find(transferId, false);
    if (stream != null) {
      served.remove(TransferId.slot(transferId));
      giveUp(stream, CallOutcome.CANCELLED, text);
    }
  }

  /** The stream that a frame is about, or null if there is none any more. */
  @Nullable PathStream find(long transferId, boolean isOpener) {
    if (isOpener) {
      return transfers.find(transferId) instanceof StreamCall call && !call.isGivenUp()
          ? call.stream()
          : null;
    }
    PathStream stream = served.get(TransferId.slot(transferId));
    return stream != null && stream.transferId() == transferId ? stream : null;
  }

  /**
   * Whether a frame of the peer's own stream came before the stream is there: its opening is still
   * on the way, or has come as a body and the application's thread has not handed it over yet.
   */
  boolean isEarly(long transferId) {
    ServedCall opening =
        transfers.served().find(TransferId.slot(transferId), TransferId.generation(transferId));
    return transfers.served().isAhead(transferId) || (opening != null && !opening.isAnswered());
  }

  /** The application has done something with its side. */
  void proceed(PathStream stream) {
    if (!path.isOver()) {
      try {
        stream.proceed();
      } catch (RuntimeException | Error e) {
        path.onFault(e);
      }
    }
  }

  /** Queues the next segment of a stream, if there is one that may go. */
  boolean sendSegment(PathStream stream, StreamSender sender, ElementOutlet outlet) {
    if (transfers.isShortOfCredit()) {
      if (!stream.isStarved()) {
        stream.starved(true);
        starved.addLast(stream);
      }
      return false;
    }
    StreamDataFrame frame = frames.takeData();
    int most = Math.min(path.datagramBytes() - PacketHeader.OVERHEAD, LONGEST_FRAME);
    int paid = StreamDataFrame.FIXED_LENGTH + transfers.mostSegmentBytes();
    frame.start(stream, Math.min(most, paid));
    if (!sender.fill(outlet, frame.segment())) {
      frames.recycle(frame);
      return false;
    }
    queueInOrder(stream, frame);
    return true;
  }

  /** The peer takes more: streams that wait for that go on in turn. */
  void onCredit() {
    int left = starved.size();
    while (left > 0 && !transfers.isShortOfCredit()) {
      left--;
      PathStream stream = starved.removeFirst();
      stream.starved(false);
      proceed(stream);
    }
  }

  /** Queues a frame behind those of its stream and level. */
  void queueInOrder(PathStream stream, StreamFrame frame) {
    frames.add(frame, stream.priority());
    transfers.queue(frame);
  }

  /** Queues a frame in front of all others, unless the stream's opening has not gone yet. */
  void queueControl(PathStream stream, StreamFrame frame) {
    if (stream.isOpeningSent()) {
      frames.add(frame, 0);
      transfers.queueAgain(frame);
    } else {
      frames.add(frame, stream.priority());
      queueBehindOpening(stream, frame);
    }
  }

  /**
   * Queues a frame that was lost: in front of others, but not of the stream's opening, if that is
   * to be sent again. Else frames that count as not received could keep the opening from ever
   * going.
   */
  void queueAgain(StreamFrame frame) {
    PathStream stream = frame.streamOrNull();
    if (stream == null || stream.isOpeningSent()) {
      transfers.queueAgain(frame);
    } else {
      frame.moveTo(stream.priority());
      queueBehindOpening(stream, frame);
    }
  }

  /** In front of what waits for credit, which may depend on what this frame does. */
  private void queueBehindOpening(PathStream stream, StreamFrame frame) {
    StreamCall opening = stream.call();
    if (opening != null && transfers.isWaiting(opening) && opening.isCharged()) {
      transfers.queueBehind(opening, frame);
    } else {
      transfers.queue(frame);
    }
  }

  /** Whether the frame must not pass its stream's opening, which may wait for credit. */
  boolean isBehindOpening(OutboundFrame frame) {
    PathStream stream = frame instanceof StreamFrame ofStream ? ofStream.streamOrNull() : null;
    return stream != null && !stream.isOpeningSent();
  }

  /** Whether the frame would count as not received, for its stream's opening cannot go yet. */
  boolean waitsForOpening(OutboundFrame frame) {
    PathStream stream = frame instanceof StreamFrame ofStream ? ofStream.streamOrNull() : null;
    return stream != null && (stream.isHeld() || isOpeningAside(stream));
  }

  private boolean isOpeningAside(PathStream stream) {
    StreamCall opening = stream.call();
    return opening != null && opening.isQueued() && !transfers.isWaiting(opening);
  }

  /** A frame is set aside: it stands behind its stream's opening, if that is, too. */
  void onAside(OutboundFrame frame) {
    PathStream stream = frame instanceof StreamFrame ofStream ? ofStream.streamOrNull() : null;
    if (stream != null) {
      ((StreamFrame) frame).moveTo(stream.priority());
    }
  }

  /** The opening of a stream goes as a body, though it was queued as a frame. */
  void onOpeningAsBody(PeerCall call) {
    if (call instanceof StreamCall opening && opening.stream() != null) {
      opening.stream().hold();
    }
  }

  /** Tells that this side has all it wants of a flow. */
  void acknowledgeClose(long transferId, boolean isResponse) {
    StreamFrame frame = closeAcks.add(transferId, isResponse);
    if (frame != null) {
      transfers.queueAgain(frame);
    }
  }

  /**
   * The peer closed a flow of a stream that is over.
   *
   * @return false if that must count as not received: too many wait, and it will say so again
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

  CloseAcks closeAcks() {
    return closeAcks;
  }

  /** A segment does not fit the path's datagrams any more. */
  void onUnsendable(StreamDataFrame frame) {
    PathStream stream = frame.stream();
    frames.onUnqueued(frame);
    stream.onUnsendable();
  }

  /** The sender paid for this much that is not kept here any more. */
  void account(long costBytes) {
    transfers.account(costBytes);
  }

  void onDelivered(int bytes) {
    services.counters().payloadBytesDelivered += bytes;
  }

  /** Both flows of a stream have ended. */
  void onOver(PathStream stream) {
    long id = stream.transferId();
    StreamCall call = stream.call();
    if (call != null) {
      transfers.end(call);
    } else {
      served.remove(TransferId.slot(id), stream);
      transfers.served().onStreamOver(TransferId.slot(id), TransferId.generation(id));
    }
  }

  /** The opening of a stream was taken over as a body. */
  void onOpeningTaken(PeerCall call) {
    if (call instanceof StreamCall stream && stream.stream() != null) {
      stream.stream().onOpeningTaken();
    }
  }

  /** The path has ended: the streams that peers opened fail. */
  void failAll(CallOutcome outcome, String text) {
    for (PathStream stream : served.values()) {
      giveUp(stream, outcome, text);
    }
    served.clear();
    if (elements != null) {
      elements.close();
      elements = null;
    }
  }

  /** Whether a request of this pattern opens a stream. */
  static boolean isStream(int pattern) {
    if (pattern > StreamPattern.BIDIRECTIONAL) {
      throw new ProtocolViolationException("there is no pattern " + pattern);
    }
    return pattern != StreamPattern.UNARY;
  }
}
