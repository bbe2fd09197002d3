package io.millrace.protocol.stream;

import org.jspecify.annotations.Nullable;

/**
 * Decides which elements the sender of a flow may send: cuts elements into segments within the
 * receiver's credit, and closes the flow after the last element; rules S-2 to S-9. Owned by the
 * worker of the stream's path. No clock; does not allocate.
 */
public final class StreamSender {
  private SendFlowState state = SendFlowState.OPEN;
  private long limitElements = StreamWindow.INITIAL_ELEMENTS;
  private long limitBytes = StreamWindow.INITIAL_BYTES;
  private long elements;
  private long bytes;
  private long segments;
  private long sentSegments;
  private long costBytes;
  private byte @Nullable [] current;
  private int offset;
  private boolean drained;
  private boolean closeDue;
  private int closeStatus;
  private String closeText = "";

  /** The side of a flow that the stream's pattern does not have. */
  public static StreamSender absent() {
    StreamSender sender = new StreamSender();
    sender.state = SendFlowState.CLOSED;
    return sender;
  }

  /** The state of the flow. */
  public SendFlowState state() {
    return state;
  }

  /** Elements that the receiver takes in all, as far as is known. */
  public long limitElements() {
    return limitElements;
  }

  /** Segments cut so far. */
  public long segments() {
    return segments;
  }

  /** Inline credit that the flow took in all so far. */
  public long costBytes() {
    return costBytes;
  }

  /** Why the flow was closed; 0 at its normal end. */
  public int closeStatus() {
    return closeStatus;
  }

  /** Why, for a person. */
  public String closeText() {
    return closeText;
  }

  /**
   * The receiver takes more; an overtaken credit changes nothing. Returns whether the limit grew.
   */
  public boolean onCredit(long newLimitElements, long newLimitBytes) {
    boolean grown = newLimitElements > limitElements || newLimitBytes > limitBytes;
    limitElements = Math.max(limitElements, newLimitElements);
    limitBytes = Math.max(limitBytes, newLimitBytes);
    assert invariantsHold();
    return grown;
  }

  /**
   * Fills a started segment with the present elements, within the credit.
   *
   * @return false if the segment stayed empty
   */
  public boolean fill(ElementSupply supply, StreamSegment segment) {
    if (!canSend() || !hasNext(supply)) {
      return false;
    }
    segment.name(segments, elements - 1, offset > 0);
    while (segment.hasRoom() && hasNext(supply)) {
      addTo(segment);
    }
    segments++;
    bytes += segment.contentLength();
    assert invariantsHold();
    return true;
  }

  private boolean canSend() {
    return (state == SendFlowState.OPEN || state == SendFlowState.ENDING) && bytes < limitBytes;
  }

  private boolean hasNext(ElementSupply supply) {
    if (current == null && elements < limitElements) {
      current = supply.poll();
      offset = 0;
      if (current != null) {
        elements++;
      }
    }
    return current != null;
  }

  private void addTo(StreamSegment segment) {
    byte[] element = current;
    if (element != null) {
      offset += segment.add(element, offset);
      if (offset == element.length) {
        current = null;
      } else {
        segment.markUnfinished();
      }
    }
  }

  /** A segment of this cost goes for the first time. */
  public void onSegmentSent(int cost) {
    sentSegments++;
    costBytes += cost;
    closeWhenAllSent();
    assert invariantsHold();
  }

  /** The application has no more elements: the supply is complete. */
  public void onEnd() {
    move(SendFlowEvent.END);
  }

  /** The supply of a flow that is ending gave its last element. */
  public void onDrained() {
    drained = current == null;
    closeWhenAllSent();
  }

  /** The application failed; unsent elements are dropped. */
  public void onFail(int status, String text) {
    close(SendFlowEvent.FAIL, status, text);
  }

  /** A segment can never arrive: the flow fails, even after a close as whole. */
  public void onSegmentLost(int status, String text) {
    if (closeStatus == 0) {
      close(SendFlowEvent.SEGMENT_LOST, status, text);
    }
  }

  /** The receiver wants no more. */
  public void onCancel(int status) {
    close(SendFlowEvent.CANCEL, status, "");
  }

  /**
   * The receiver acknowledged the close.
   *
   * @return false without a close to acknowledge
   */
  public boolean onCloseAck() {
    return move(SendFlowEvent.CLOSE_ACKED) || state == SendFlowState.CLOSED;
  }

  /** The path ended. */
  public void onPathEnded() {
    move(SendFlowEvent.PATH_ENDED);
    closeDue = false;
  }

  /** Whether the close is to be sent; says so once. */
  public boolean takeClose() {
    boolean due = closeDue;
    closeDue = false;
    return due;
  }

  /** Whether segments that were cut are still worth sending. */
  public boolean isWanted() {
    return state == SendFlowState.OPEN
        || state == SendFlowState.ENDING
        || (state == SendFlowState.CLOSE_SENT && closeStatus == 0);
  }

  private void closeWhenAllSent() {
    if (state == SendFlowState.ENDING && drained && sentSegments == segments) {
      closeDue = move(SendFlowEvent.ALL_SENT);
    }
  }

  private void close(SendFlowEvent event, int status, String text) {
    boolean first = state != SendFlowState.CLOSE_SENT || event == SendFlowEvent.SEGMENT_LOST;
    if (move(event)) {
      closeDue |= first;
      current = null;
      closeText = first ? text : closeText;
      closeStatus = status;
    }
  }

  private boolean move(SendFlowEvent event) {
    SendFlowState next = FlowTransitions.next(state, event);
    if (next != null) {
      state = next;
    }
    return next != null;
  }

  private boolean invariantsHold() {
    assert elements <= limitElements : elements + " of " + limitElements;
    assert sentSegments <= segments;
    return true;
  }
}
