package io.millrace.protocol.stream;

import io.millrace.protocol.transfer.InlineCost;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides which segments the receiver of a flow takes: puts segments in order and elements
 * together, and tells how much more may come; rules S-2 to S-9. The receiver's announcements bound
 * its memory, and over all flows the node's memory for elements does. The receiver sets aside the
 * memory of whole elements, which the taker gives back, and of its own partial elements. Owned by
 * the worker of the stream's path. No clock; allocates the elements, and copies segments that came
 * too early.
 */
public final class StreamReceiver {
  /** Flag of a segment whose first element began earlier. */
  public static final int CONTINUED = 2;

  /** Flag of a segment whose last element goes on. */
  public static final int UNFINISHED = 4;

  private static final int MOST_SEGMENTS_AHEAD = 65_536;

  private final StreamWindow window;
  private final ElementMemory memory;
  private final ElementSink sink;
  private final PartialElement partial;
  private ReceiveFlowState state = ReceiveFlowState.OPEN;
  private @Nullable Long2ObjectHashMap<EarlySegment> early;
  private long nextSegment;
  private long elements;
  private long announcedElements = StreamWindow.INITIAL_ELEMENTS;
  private long announcedBytes = StreamWindow.INITIAL_BYTES;
  private long consumedElements;
  private long consumedBytes;
  private long receivedBytes;
  private long lastSegment = -1;
  private int lastSegmentBytes;
  private long accountedCost;
  private long tooLongBytes;
  private boolean isTooLongWhole;
  private long closeSegments = -1;
  private long closeCost = -1;

  /** A flow whose elements go to {@code sink}. */
  public StreamReceiver(StreamWindow window, ElementMemory memory, ElementSink sink) {
    this.window = window;
    this.memory = memory;
    this.sink = sink;
    partial = new PartialElement(window, memory);
  }

  /** The side of a flow that the stream's pattern does not have. */
  public static StreamReceiver absent(StreamWindow window, ElementMemory memory) {
    StreamReceiver receiver = new StreamReceiver(window, memory, element -> {});
    receiver.state = ReceiveFlowState.CLOSED;
    return receiver;
  }

  /** The most that this side keeps of the flow. */
  public StreamWindow window() {
    return window;
  }

  /** The state of the flow. */
  public ReceiveFlowState state() {
    return state;
  }

  /** Whether the first element, the headers of a response, is whole. */
  public boolean hasFirst() {
    return elements > 0;
  }

  /** Arrived bytes of the element that is {@link SegmentVerdict#TOO_LARGE}. */
  public long tooLongBytes() {
    return tooLongBytes;
  }

  /** Whether the too large element has no more bytes. */
  public boolean isTooLongWhole() {
    return isTooLongWhole;
  }

  /** Inline credit that the taken segments cost. */
  public long accountedCost() {
    return accountedCost;
  }

  /** Elements announced in all. */
  public long announcedElements() {
    return announcedElements;
  }

  /** Bytes announced in all. */
  public long announcedBytes() {
    return announcedBytes;
  }

  /**
   * A segment arrived.
   *
   * @param number counts the segments of the flow
   * @param element number of the segment's first element
   * @param place the place of the segment's parts in {@code buffer}
   */
  public SegmentVerdict onSegment(
      long number, long element, int flags, DirectBuffer buffer, SegmentPlace place) {
    if (state == ReceiveFlowState.CLOSED || state == ReceiveFlowState.CANCEL_SENT) {
      return SegmentVerdict.IGNORED;
    }
    if (Long.compareUnsigned(number, nextSegment) < 0
        || (early != null && early.containsKey(number))) {
      return SegmentVerdict.IGNORED;
    }
    if (!isAllowed(number, element, place)) {
      return SegmentVerdict.VIOLATION;
    }
    accountedCost += InlineCost.of(0, place.length());
    SegmentVerdict verdict = SegmentVerdict.TAKEN;
    if (number == nextSegment) {
      verdict = take(element, flags, buffer, place);
      verdict = verdict == SegmentVerdict.TAKEN ? takeEarly() : verdict;
    } else {
      verdict = keep(number, element, flags, buffer, place);
    }
    assert invariantsHold();
    return verdict;
  }

  private boolean isAllowed(long number, long element, SegmentPlace place) {
    boolean isInOrder =
        number >= 0
            && number - nextSegment < MOST_SEGMENTS_AHEAD
            && (closeSegments < 0 || number < closeSegments);
    boolean isCredited =
        element >= 0
            && place.count() > 0
            && element < announcedElements
            && element + place.count() <= announcedElements;
    if (!isInOrder || !isCredited || !place.isWhole()) {
      return false;
    }
    receivedBytes += place.length();
    if (number > lastSegment) {
      lastSegment = number;
      lastSegmentBytes = place.length();
    }
    return receivedBytes - lastSegmentBytes < announcedBytes;
  }

  private SegmentVerdict keep(
      long number, long element, int flags, DirectBuffer buffer, SegmentPlace place) {
    if (!memory.reserve(EarlySegment.heldBytes(place))) {
      return SegmentVerdict.NO_ROOM;
    }
    Long2ObjectHashMap<EarlySegment> kept = early;
    if (kept == null) {
      kept = new Long2ObjectHashMap<>();
      early = kept;
    }
    kept.put(number, new EarlySegment(element, flags, buffer, place));
    return SegmentVerdict.TAKEN;
  }

  private SegmentVerdict takeEarly() {
    SegmentVerdict verdict = SegmentVerdict.TAKEN;
    EarlySegment next;
    while (early != null
        && verdict == SegmentVerdict.TAKEN
        && (next = early.remove(nextSegment)) != null) {
      memory.giveBack(EarlySegment.heldBytes(next.place()));
      verdict = take(next.element(), next.flags(), next.buffer(), next.place());
    }
    if (early != null && early.isEmpty()) {
      early = null;
    }
    if (verdict == SegmentVerdict.TAKEN && nextSegment == closeSegments) {
      move(ReceiveFlowEvent.ALL_ARRIVED);
    }
    return verdict;
  }

  private SegmentVerdict take(long element, int flags, DirectBuffer buffer, SegmentPlace place) {
    boolean continued = (flags & CONTINUED) != 0;
    if (element != elements || continued != partial.isBegun()) {
      return SegmentVerdict.VIOLATION;
    }
    nextSegment++;
    long reserved = costOfWhole(flags, buffer, place);
    if (reserved > 0 && !memory.reserve(reserved)) {
      return SegmentVerdict.NO_ROOM;
    }
    SegmentVerdict verdict = SegmentVerdict.TAKEN;
    int at = place.elementsAt();
    for (int i = 0; i < place.count() && verdict == SegmentVerdict.TAKEN; i++) {
      int length = place.lengthOf(buffer, i);
      if (partial.length() + length > mostBytes()) {
        verdict = SegmentVerdict.TOO_LARGE;
        tooLongBytes = (long) partial.length() + length;
        isTooLongWhole = !goesOn(i, flags, place);
      } else if (goesOn(i, flags, place)) {
        verdict = begin(buffer, at, length);
      } else {
        reserved -= complete(buffer, at, length);
      }
      at += length;
    }
    if (reserved > 0) {
      memory.giveBack(reserved);
    }
    return verdict;
  }

  private int mostBytes() {
    return elements == 0 ? window.firstBytes() : window.elementBytes();
  }

  private static boolean goesOn(int index, int flags, SegmentPlace place) {
    return index == place.count() - 1 && (flags & UNFINISHED) != 0;
  }

  /** The memory of the elements that are whole with this segment. */
  private long costOfWhole(int flags, DirectBuffer buffer, SegmentPlace place) {
    int last = place.count() - 1;
    if (!goesOn(last, flags, place)) {
      return ElementMemory.cost(place.count(), (long) partial.length() + place.length());
    }
    int whole = place.length() - place.lengthOf(buffer, last);
    return last == 0 ? 0 : ElementMemory.cost(last, (long) partial.length() + whole);
  }

  private SegmentVerdict begin(DirectBuffer buffer, int at, int length) {
    if (length == 0) {
      return SegmentVerdict.VIOLATION;
    }
    return partial.append(buffer, at, length) ? SegmentVerdict.TAKEN : SegmentVerdict.NO_ROOM;
  }

  /** Hands an element over; returns the memory set aside for the element. */
  private long complete(DirectBuffer buffer, int at, int length) {
    byte[] whole = partial.complete(buffer, at, length);
    elements++;
    sink.onElement(whole);
    return ElementMemory.cost(1, whole.length);
  }

  /** The application has taken this number of elements and bytes in all. */
  public void onConsumed(long elementsInAll, long bytesInAll) {
    consumedElements = elementsInAll;
    consumedBytes = bytesInAll;
  }

  /** Elements that the application has taken, as far as is known here. */
  public long consumedElements() {
    return consumedElements;
  }

  /** Bytes that the application has taken, as far as is known here. */
  public long consumedBytes() {
    return consumedBytes;
  }

  /** Whether so much was consumed that the sender must be told. */
  public boolean isCreditDue() {
    return state == ReceiveFlowState.OPEN
        && (limitElements() - announcedElements >= Math.max(1, window.elements() >> 1)
            || limitBytes() - announcedBytes >= Math.max(1, window.bytes() >> 1));
  }

  /** Takes the limits that are to be told now: {@link #announcedElements} and the bytes. */
  public void announce() {
    announcedElements = Math.max(announcedElements, limitElements());
    announcedBytes = Math.max(announcedBytes, limitBytes());
    assert invariantsHold();
  }

  private long limitElements() {
    return consumedElements + window.elements();
  }

  private long limitBytes() {
    return consumedBytes + partial.length() + window.bytes();
  }

  /**
   * The sender closed after {@code segments} segments; {@code cost} is the credit that the flow
   * took.
   */
  public SegmentVerdict onClose(boolean isOk, long segments, long cost) {
    if (state == ReceiveFlowState.CLOSED || (isOk && state == ReceiveFlowState.CLOSE_KNOWN)) {
      return SegmentVerdict.IGNORED;
    }
    if (cost < accountedCost || (isOk && (segments <= lastSegment || segments < 0))) {
      return SegmentVerdict.VIOLATION;
    }
    closeCost = cost;
    if (!isOk) {
      move(ReceiveFlowEvent.FAIL);
      return SegmentVerdict.TAKEN;
    }
    boolean isCut = partial.isBegun();
    closeSegments = segments;
    move(ReceiveFlowEvent.CLOSE);
    if (nextSegment == closeSegments) {
      move(ReceiveFlowEvent.ALL_ARRIVED);
    }
    return isCut && state == ReceiveFlowState.CLOSED && nextSegment == closeSegments
        ? SegmentVerdict.VIOLATION
        : SegmentVerdict.TAKEN;
  }

  /** The application wants no more; returns whether the sender must be told. */
  public boolean onCancel() {
    return move(ReceiveFlowEvent.CANCEL) && state == ReceiveFlowState.CANCEL_SENT;
  }

  /** The path ended. */
  public void onPathEnded() {
    move(ReceiveFlowEvent.PATH_ENDED);
  }

  /**
   * Credit that the sender spent on segments that this side did not take, once the flow is closed.
   */
  public long takeUnaccounted() {
    long rest = closeCost < 0 ? 0 : closeCost - accountedCost;
    accountedCost += rest;
    return rest;
  }

  private boolean move(ReceiveFlowEvent event) {
    ReceiveFlowState next = FlowTransitions.next(state, event);
    if (next == null) {
      return false;
    }
    state = next;
    if (next == ReceiveFlowState.CLOSED || next == ReceiveFlowState.CANCEL_SENT) {
      forget();
    }
    return true;
  }

  private void forget() {
    if (early != null) {
      early.values().forEach(each -> memory.giveBack(EarlySegment.heldBytes(each.place())));
      early = null;
    }
    partial.clear();
  }

  private boolean invariantsHold() {
    assert elements <= announcedElements && consumedElements <= elements;
    return true;
  }
}
