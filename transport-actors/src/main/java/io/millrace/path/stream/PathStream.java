package io.millrace.path.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.ends.ElementInlet;
import io.millrace.ends.ElementLimit;
import io.millrace.ends.ElementOutlet;
import io.millrace.ends.ElementStream;
import io.millrace.ends.StreamEnd;
import io.millrace.path.call.CallOutcomes;
import io.millrace.path.call.HeaderLimits;
import io.millrace.path.call.PeerCall;
import io.millrace.path.packet.ProtocolViolationException;
import io.millrace.protocol.stream.ReceiveFlowState;
import io.millrace.protocol.stream.SegmentPlace;
import io.millrace.protocol.stream.SegmentVerdict;
import io.millrace.protocol.stream.SendFlowState;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.stream.StreamReceiver;
import io.millrace.protocol.stream.StreamSender;
import io.millrace.protocol.stream.StreamWindow;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.codec.CallStatus;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A stream of one path: connects the stream's two machines with the application's side and with the
 * frames of the path. Rules S-1 to S-11. Worker's thread only.
 */
final class PathStream implements StreamFrame.Stream {
  private static final int MOST_TEXT_BYTES = 512;

  private final PathStreams streams;
  private final long transferId;
  private final @Nullable PeerCall call;
  private final int priority;
  private final ElementStream ends;
  private final StreamSender sender;
  private final StreamReceiver receiver;
  private CallStatus endStatus = CallStatus.OK;
  private String endText = "";
  private boolean held;

  /** Whether the stream waits in the queue of streams with elements and without credit. */
  private boolean starved;

  private boolean isBody;
  private boolean refused;
  private boolean receiverSettled;
  private boolean gone;

  PathStream(
      PathStreams streams,
      long transferId,
      @Nullable PeerCall call,
      int pattern,
      int priority,
      StreamWindow window,
      ElementStream ends) {
    this.streams = streams;
    this.transferId = transferId;
    this.call = call;
    boolean isOpener = call != null;
    this.priority = priority;
    this.ends = ends;
    boolean isOneWay = !StreamPattern.hasRequestFlow(pattern);
    sender = isOpener && isOneWay ? StreamSender.absent() : new StreamSender();
    receiverSettled = !isOpener && isOneWay;
    receiver =
        receiverSettled
            ? StreamReceiver.absent(window, streams.elements())
            : new StreamReceiver(window, streams.elements(), ends.inlet());
    ends.inlet().memory(streams.elements());
  }

  @Override
  public long transferId() {
    return transferId;
  }

  @Override
  public boolean isOpener() {
    return call != null;
  }

  /** The call that opened the stream, or null for a stream of the peer. */
  @Nullable PeerCall call() {
    return call;
  }

  /** Whether no frame sent now goes ahead of the opening, which may have been lost. */
  @Override
  public boolean isOpeningSent() {
    return call == null || isBody || (call.isCharged() && !call.isQueued());
  }

  @Override
  public int priority() {
    return priority;
  }

  ElementStream ends() {
    return ends;
  }

  /** The frames of the stream wait until the peer has the opening, which is a body. */
  void hold() {
    held = true;
    isBody = true;
  }

  @Override
  public boolean hasOpeningArrived() {
    return call == null || (isBody ? !held : call.isObsolete());
  }

  @Override
  public boolean isEarly() {
    return held || (call != null && call.isQueued() && !streams.isWaiting(call));
  }

  @Override
  public void queueBehindOpening(StreamFrame frame) {
    streams.queueBehindOpening(call, frame);
  }

  boolean isStarved() {
    return starved;
  }

  void starved(boolean starved) {
    this.starved = starved;
  }

  /** The peer has the opening. */
  void onOpeningTaken() {
    held = false;
    onSignal();
  }

  /** Whether the peer has not been told for sure how much credit the sent segments took. */
  boolean owesCost() {
    return !gone && sender.costBytes() > 0 && sender.state() != SendFlowState.CLOSED;
  }

  /** Whether the peer has no stream, and only the close of this side's flow is open. */
  boolean isRefused() {
    return refused;
  }

  /**
   * The peer has refused the opening, and has no stream: the close of this side's flow tells the
   * cost of the sent segments; rule S-11. The slot is kept until the peer has the close.
   */
  void onRefused() {
    refused = true;
    held = false;
    receiver.onPathEnded();
    receiverSettled = true;
    sender.onCancel(CallStatus.CANCELLED.value());
    sendCloseIfDue();
  }

  /** The stream may send from now on. */
  void start() {
    streams.counters().streamsOpened++;
    ends.onSignal(this::onSignal);
    ends.outlet().limit(sender.limitElements());
    proceed();
  }

  /** The application has acted on its side. */
  void onSignal() {
    streams.proceed(this);
  }

  /** Does all steps allowed by the application's side, credit and the opening. */
  void proceed() {
    if (gone || held) {
      return;
    }
    ElementInlet inlet = ends.inlet();
    if (inlet.isCancelled() && receiver.onCancel()) {
      inlet.drop();
      cancel(CallStatus.CANCELLED, "");
    }
    receiver.onConsumed(inlet.consumedElements(), inlet.consumedBytes());
    tellCredit();
    pump();
    settle();
  }

  private void cancel(CallStatus status, String text) {
    streams.queueControl(this, new StreamCloseFrame(streams.frames(), this, status, bytes(text)));
  }

  private void tellCredit() {
    if (receiver.isCreditDue()) {
      receiver.announce();
      ends.inlet().onTold(receiver.consumedElements(), receiver.consumedBytes());
      streams.queueControl(
          this,
          new StreamCreditFrame(
              streams.frames(), this, receiver.announcedElements(), receiver.announcedBytes()));
    } else if (receiver.state() != ReceiveFlowState.OPEN) {
      ends.inlet().onToldAll();
    }
  }

  /** Cuts the waiting elements into segments, as far as credit goes. */
  private void pump() {
    ElementOutlet outlet = ends.outlet();
    boolean ended = outlet.isEnded();
    ElementOutlet.Failure failure = outlet.failure();
    if (failure != null) {
      sender.onFail(failure.status().value(), failure.text());
    }
    while (streams.sendSegment(this, sender, outlet)) {
      outlet.wake();
    }
    if (ended) {
      sender.onEnd();
      if (outlet.isEmpty()) {
        sender.onDrained();
      }
    }
    sendCloseIfDue();
  }

  private void sendCloseIfDue() {
    if (sender.takeClose()) {
      CallStatus status = CallStatus.get((short) sender.closeStatus());
      StreamCloseFrame close =
          new StreamCloseFrame(
              streams.frames(),
              this,
              status,
              sender.segments(),
              sender.costBytes(),
              bytes(sender.closeText()));
      if (status == CallStatus.OK) {
        streams.queueInOrder(this, close);
      } else {
        streams.queueControl(this, close);
      }
    }
  }

  /** A segment of this stream goes for the first time; the frame has left its queue. */
  @Override
  public void onSegmentSent(int cost) {
    sender.onSegmentSent(cost);
    sendCloseIfDue();
  }

  /** A segment arrived. */
  void onData(long segment, long element, int flags, DirectBuffer buffer, SegmentPlace place) {
    held = false;
    long accounted = receiver.accountedCost();
    SegmentVerdict verdict = receiver.onSegment(segment, element, flags, buffer, place);
    streams.account(receiver.accountedCost() - accounted);
    switch (verdict) {
      case VIOLATION ->
          throw new ProtocolViolationException("a segment of a stream breaks its order or credit");
      case TOO_LARGE -> refuseTooLong();
      case NO_ROOM -> {
        String text = streams.elements().lacking() + " of their receiver";
        refuse(CallStatus.OVERLOADED, CallOutcome.OVERLOADED, text);
      }
      case TAKEN -> {
        streams.onDelivered(place.length());
        tellCredit();
      }
      case IGNORED -> {}
    }
    settle();
  }

  private void refuseTooLong() {
    StreamWindow window = receiver.window();
    ElementLimit limit = new ElementLimit(window.elementBytes(), isOpener());
    long length = receiver.tooLongBytes();
    String text =
        isOpener() && !receiver.hasFirst()
            ? HeaderLimits.problemAtReceiver(length, window.firstBytes())
            : limit.problemAtReceiver(length, receiver.isTooLongWhole());
    refuse(limit.status(), limit.outcome(), text);
  }

  /** Refuses the incoming flow: the flow ends at both sides. */
  private void refuse(CallStatus status, CallOutcome outcome, String text) {
    if (receiver.onCancel()) {
      cancel(status, text);
    }
    ends.inlet().onEnd(new StreamEnd(outcome, text));
  }

  /** The peer grants more credit. */
  void onCredit(long elements, long bytes) {
    held = false;
    if (sender.onCredit(elements, bytes)) {
      ends.outlet().limit(sender.limitElements());
      pump();
    }
  }

  /** The sender of the incoming flow has closed the flow. */
  void onClosed(CallStatus status, long segments, long costBytes, String text) {
    held = false;
    boolean wasClosed = receiver.state() == ReceiveFlowState.CLOSED;
    SegmentVerdict verdict = receiver.onClose(status == CallStatus.OK, segments, costBytes);
    if (verdict == SegmentVerdict.VIOLATION) {
      throw new ProtocolViolationException("a stream was closed before its last segment");
    }
    if (verdict == SegmentVerdict.TAKEN) {
      endStatus = status;
      endText = text;
    } else if (wasClosed) {
      streams.acknowledgeClose(transferId, isOpener());
    }
    settle();
  }

  /** The receiver of the outgoing flow wants no more elements. */
  void onCancelled(CallStatus status, String text) {
    held = false;
    sender.onCancel(CallStatus.CANCELLED.value());
    ends.outlet().onCancelled(new StreamEnd(CallOutcomes.of(status.value()), text));
    sendCloseIfDue();
    settle();
  }

  /** The peer has all wanted elements of the outgoing flow. */
  void onCloseAck() {
    if (!sender.onCloseAck()) {
      throw new ProtocolViolationException("the peer acknowledged a close never sent");
    }
    settle();
  }

  /** A segment does not fit the path's datagrams any more. */
  @Override
  public void onUnsendable(StreamDataFrame segment) {
    segment.owner().onUnqueued(segment);
    String text = "the path's datagrams became smaller than a segment of the stream";
    ElementLimit limit = ends.outlet().elementLimit();
    sender.onSegmentLost(limit.status().value(), text);
    ends.outlet().onCancelled(new StreamEnd(limit.outcome(), text));
    sendCloseIfDue();
  }

  private void settle() {
    if (!receiverSettled && receiver.state() == ReceiveFlowState.CLOSED) {
      receiverSettled = true;
      streams.account(receiver.takeUnaccounted());
      streams.acknowledgeClose(transferId, isOpener());
      ends.inlet().onEnd(new StreamEnd(CallOutcomes.of(endStatus.value()), endText));
    }
    if (!gone && receiverSettled && sender.state() == SendFlowState.CLOSED) {
      leave();
      streams.onOver(this);
    }
  }

  /** The end of the response flow, which is the end of the stream. */
  CallOutcome outcome() {
    if (!isOpener()) {
      return CallOutcomes.of(sender.closeStatus());
    }
    return ends.inlet().isCancelled() ? CallOutcome.CANCELLED : CallOutcomes.of(endStatus.value());
  }

  /** The stream has ended: the path or the slot of the stream was given up. */
  void onGone() {
    leave();
    sender.onPathEnded();
    receiver.onPathEnded();
  }

  private void leave() {
    if (!gone) {
      gone = true;
      ends.inlet().onToldAll();
      streams.counters().streamsEnded++;
    }
  }

  @Override
  public boolean isSendingWanted() {
    return !gone && sender.isWanted();
  }

  @Override
  public boolean isCreditWanted(long elements, long bytes) {
    return !gone
        && receiver.state() == ReceiveFlowState.OPEN
        && elements == receiver.announcedElements()
        && bytes == receiver.announcedBytes();
  }

  @Override
  public boolean isCloseWanted() {
    return !gone && sender.state() == SendFlowState.CLOSE_SENT;
  }

  @Override
  public boolean isCancelWanted() {
    return !gone && receiver.state() == ReceiveFlowState.CANCEL_SENT;
  }

  private static byte[] bytes(String text) {
    byte[] all = text.getBytes(UTF_8);
    return all.length > MOST_TEXT_BYTES ? Arrays.copyOf(all, MOST_TEXT_BYTES) : all;
  }
}
