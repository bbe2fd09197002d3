package io.millrace.protocol.recovery;

/**
 * Remembers the sent and unsettled packets of a path: the time, the bytes, and the items of each
 * packet.
 *
 * <p>An item is a long by which the owner finds a frame again (say, a kind and a slot). A packet is
 * {@link #open opened} under its number, given its items, and {@link #commit committed} once the
 * driver took the packet; the packet stays outstanding until {@link #settle}. Packets that want no
 * acknowledgement are committed (or {@link #skip skipped}) without becoming outstanding. Numbers
 * only grow and may leave gaps. The numbers of lost packets are remembered until the log has moved
 * on by its capacity.
 *
 * <p>Owned by a {@link PathRecovery}, on the worker's thread. Allocates only during growth, up to
 * the bounds of the settings.
 */
public final class SentPackets {
  /** No item: every item has another value. */
  public static final long NO_ITEM = -1;

  /** The sending time of a packet whose time the log no longer knows. */
  public static final long UNKNOWN_NS = Long.MIN_VALUE;

  private static final long NONE = -1;
  private static final int PATIENT = 1 << 30;

  private final int maxPackets;
  private final int maxItems;

  /** Per packet, at the packet's number modulo the capacity. */
  private long[] sentNs;

  /** Negative for a packet that tries out its size. */
  private int[] bytes;

  /** Where a packet's items start in {@link #items}, counted from the first item ever. */
  private int[] itemStart;

  /** With {@link #PATIENT} for a packet that may wait for its acknowledgement. */
  private int[] itemCount;

  private PacketBits outstanding;
  private PacketBits lost;

  /** A ring of the items of all outstanding packets and of the open packet. */
  private long[] items;

  private int itemTail;
  private int itemHead;

  /** The lowest outstanding number, or {@link #next} without an outstanding packet. */
  private long oldest;

  /** The lowest number that may be opened. */
  private long next;

  private long openNumber = NONE;
  private int openItemStart;
  private boolean openIsSizeProbe;
  private boolean openIsPatient;
  private int outstandingPackets;
  private int lostPackets;

  /** Packets from here on have a sending time. */
  private long timedFrom;

  /** Makes an empty log that starts with packet 0. */
  public SentPackets(SentLogSettings settings) {
    maxPackets = settings.maxPackets();
    maxItems = settings.maxItems();
    final int packets = settings.initialPackets();
    sentNs = new long[packets];
    bytes = new int[packets];
    itemStart = new int[packets];
    itemCount = new int[packets];
    outstanding = new PacketBits(packets);
    lost = new PacketBits(packets);
    items = new long[settings.initialItems()];
  }

  /** Whether the packet {@link #nextPacketNumber()} can be opened and take this many items. */
  public boolean canOpen(int itemsNeeded) {
    return next - oldest < maxPackets && itemHead - itemTail + itemsNeeded <= maxItems;
  }

  /**
   * Starts a packet; {@link #commit} or {@link #abandon} ends the packet.
   *
   * @throws IllegalStateException if a packet is open, the number is not above all before, or the
   *     log is full
   */
  public void open(long packetNumber) {
    if (openNumber != NONE || packetNumber < next || span(packetNumber) > maxPackets) {
      throw new IllegalStateException("cannot open packet " + packetNumber + " in " + this);
    }
    openNumber = packetNumber;
    openItemStart = itemHead;
    openIsSizeProbe = false;
    openIsPatient = false;
  }

  /** The open packet tries out its size: a loss of this packet says nothing about congestion. */
  public void markSizeProbe() {
    assert openNumber != NONE;
    openIsSizeProbe = true;
  }

  /** The open packet may wait for its acknowledgement. */
  public void markPatient() {
    assert openNumber != NONE;
    openIsPatient = true;
  }

  /**
   * Whether the acknowledgement that names a packet, outstanding or recent, as the largest may have
   * waited; true for packets that want no acknowledgement.
   */
  public boolean isPatient(long packetNumber) {
    return (itemCount[index(packetNumber)] & PATIENT) != 0;
  }

  /** Whether another item fits. */
  public boolean canAddItem() {
    return itemHead - itemTail < maxItems;
  }

  /** How many more items the open packet can have. */
  public int itemsLeft() {
    return maxItems - (itemHead - itemTail);
  }

  /**
   * Adds an item to the open packet.
   *
   * @throws IllegalStateException if no packet is open or the log has no room for the item
   */
  public void addItem(long item) {
    if (openNumber == NONE || !canAddItem()) {
      throw new IllegalStateException("no open packet or no room for an item in " + this);
    }
    if (itemHead - itemTail == items.length) {
      growItems();
    }
    items[itemHead++ & (items.length - 1)] = item;
  }

  /** The open packet will not be sent; its number stays free. */
  public void abandon() {
    itemHead = openNumber == NONE ? itemHead : openItemStart;
    openNumber = NONE;
    assert invariantsHold();
  }

  /**
   * The open packet was sent. The packet becomes outstanding if the packet wants an
   * acknowledgement; otherwise its items are forgotten, as the path would never learn their fate.
   *
   * @throws IllegalStateException if no packet is open
   */
  public void commit(int packetBytes, boolean isAckEliciting, long nowNs) {
    final long number = openNumber;
    if (number == NONE) {
      throw new IllegalStateException("no open packet in " + this);
    }
    openNumber = NONE;
    if (!isAckEliciting) {
      itemHead = openItemStart;
      skip(number, nowNs);
      return;
    }
    enter(number, nowNs);
    if (outstandingPackets == 0) {
      oldest = number;
    }
    final int index = index(number);
    bytes[index] = openIsSizeProbe ? -packetBytes : packetBytes;
    itemStart[index] = openItemStart;
    itemCount[index] = itemHead - openItemStart | (openIsPatient ? PATIENT : 0);
    outstanding.set(number);
    outstandingPackets++;
    assert invariantsHold();
  }

  /**
   * A packet that wants no acknowledgement was sent without being opened, which is possible even
   * while the log is full.
   *
   * @throws IllegalStateException if a packet is open or the number is not above all before
   */
  public void skip(long packetNumber, long nowNs) {
    if (openNumber != NONE || packetNumber < next) {
      throw new IllegalStateException("cannot skip packet " + packetNumber + " in " + this);
    }
    enter(packetNumber, nowNs);
    if (packetNumber >= timedFrom) {
      // An acknowledgement that names this packet as the largest may have waited for another one.
      itemCount[index(packetNumber)] = PATIENT;
    }
    if (outstandingPackets == 0) {
      oldest = next;
      itemTail = itemHead;
    }
    assert invariantsHold();
  }

  /** The first outstanding packet from {@code from} to {@code to}, or -1. */
  public long nextOutstanding(long from, long to) {
    final long last = Math.min(next, oldest + outstanding.capacity()) - 1;
    return outstanding.nextSet(Math.max(from, oldest), Math.min(to, last));
  }

  /** The first packet from {@code from} to {@code to} that is remembered as lost, or -1. */
  public long nextLost(long from, long to) {
    if (lostPackets == 0) {
      return NONE;
    }
    final long first = Math.max(next - lost.capacity(), 0);
    return lost.nextSet(Math.max(from, first), Math.min(to, next - 1));
  }

  /** An outstanding packet is acknowledged or given up: forgets the packet and its items. */
  public void settle(long packetNumber) {
    assert outstanding.isSet(packetNumber);
    outstanding.clear(packetNumber);
    outstandingPackets--;
    if (packetNumber == oldest) {
      advanceOldest();
    }
    assert invariantsHold();
  }

  /**
   * {@link #settle} for a packet that is declared lost: the packet's number is remembered for a
   * while.
   */
  public void settleLost(long packetNumber) {
    if (packetNumber >= next - lost.capacity()) {
      lost.set(packetNumber);
      lostPackets++;
    }
    settle(packetNumber);
  }

  /** Forgets the loss of a packet. */
  public void forgetLost(long packetNumber) {
    assert lost.isSet(packetNumber);
    lost.clear(packetNumber);
    lostPackets--;
  }

  /** The sending time of a packet, ns, or {@link #UNKNOWN_NS}. */
  public long sentNs(long packetNumber) {
    final boolean isKnown =
        packetNumber >= timedFrom && packetNumber < next && packetNumber >= next - sentNs.length;
    return isKnown || isOutstanding(packetNumber) ? sentNs[index(packetNumber)] : UNKNOWN_NS;
  }

  /** Whether a packet was sent, wants an acknowledgement and is neither acknowledged nor lost. */
  public boolean isOutstanding(long packetNumber) {
    return nextOutstanding(packetNumber, packetNumber) == packetNumber;
  }

  /** Bytes of an outstanding packet. */
  public int bytes(long packetNumber) {
    return Math.abs(bytes[index(packetNumber)]);
  }

  /** Whether a packet, outstanding or remembered as lost, tries out its size. */
  public boolean isSizeProbe(long packetNumber) {
    return bytes[index(packetNumber)] < 0;
  }

  /** Another packet speaks for an item from now on; {@link #NO_ITEM} stands in its place. */
  public void forgetItem(long packetNumber, int position) {
    items[(itemStart[index(packetNumber)] + position) & (items.length - 1)] = NO_ITEM;
  }

  /** The number of items that an outstanding packet carried. */
  public int itemCount(long packetNumber) {
    return itemCount[index(packetNumber)] & ~PATIENT;
  }

  /** The item of an outstanding packet at a position from 0. */
  public long item(long packetNumber, int position) {
    return items[(itemStart[index(packetNumber)] + position) & (items.length - 1)];
  }

  /**
   * The lowest outstanding number, or {@link #nextPacketNumber()} without an outstanding packet.
   */
  public long oldest() {
    return oldest;
  }

  /** The lowest number that may be opened: the number after the last packet sent. */
  public long nextPacketNumber() {
    return next;
  }

  /** Below this, an acknowledgement can tell nothing new. */
  public long oldestOfInterest() {
    return lostPackets == 0 ? oldest : Math.min(oldest, Math.max(next - lost.capacity(), 0));
  }

  /** The number of outstanding packets. */
  public int outstandingPackets() {
    return outstandingPackets;
  }

  /** The number of items that the outstanding packets and the open packet hold. */
  public int heldItems() {
    return itemHead - itemTail;
  }

  @Override
  public String toString() {
    return "SentPackets[oldest=%d, next=%d, open=%d, outstanding=%d, items=%d]"
        .formatted(oldest, next, openNumber, outstandingPackets, heldItems());
  }

  /** Takes a number into the window, which forgets the loss of a much older packet. */
  private void enter(long number, long nowNs) {
    final long span = span(number);
    if (span > sentNs.length && span <= maxPackets) {
      growPackets(span);
    }
    if (lostPackets > 0) {
      forgetLostInPlaceOf(number);
    }
    if (span <= sentNs.length) {
      sentNs[index(number)] = nowNs;
    } else {
      timedFrom = number + 1;
    }
    next = number + 1;
  }

  private long span(long number) {
    return outstandingPackets == 0 ? 1 : number - oldest + 1;
  }

  private void forgetLostInPlaceOf(long number) {
    final long last = Math.min(number, next + lost.capacity() - 1);
    long old = lost.nextSet(next, last);
    while (old != NONE) {
      forgetLost(old);
      old = lost.nextSet(old + 1, last);
    }
  }

  private void advanceOldest() {
    if (outstandingPackets == 0) {
      oldest = next;
      itemTail = openNumber == NONE ? itemHead : openItemStart;
    } else {
      oldest = nextOutstanding(oldest + 1, Long.MAX_VALUE);
      itemTail = itemStart[index(oldest)];
    }
  }

  private void growPackets(long span) {
    final int oldCapacity = sentNs.length;
    final int capacity = Math.max(Long.SIZE, Integer.highestOneBit((int) span - 1) << 1);
    final PacketBits oldOutstanding = outstanding;
    final PacketBits oldLost = lost;
    final long[] oldSentNs = sentNs;
    final int[] oldBytes = bytes;
    final int[] oldItemStart = itemStart;
    final int[] oldItemCount = itemCount;
    sentNs = new long[capacity];
    bytes = new int[capacity];
    itemStart = new int[capacity];
    itemCount = new int[capacity];
    outstanding = new PacketBits(capacity);
    lost = new PacketBits(capacity);
    for (long number = Math.max(next - oldCapacity, 0); number < next; number++) {
      final int from = (int) (number & (oldCapacity - 1));
      final int to = index(number);
      sentNs[to] = oldSentNs[from];
      bytes[to] = oldBytes[from];
      itemStart[to] = oldItemStart[from];
      itemCount[to] = oldItemCount[from];
      if (oldOutstanding.isSet(number)) {
        outstanding.set(number);
      }
      if (oldLost.isSet(number)) {
        lost.set(number);
      }
    }
  }

  private void growItems() {
    final long[] old = items;
    items = new long[old.length * 2];
    for (int position = itemTail; position != itemHead; position++) {
      items[position & (items.length - 1)] = old[position & (old.length - 1)];
    }
  }

  private int index(long number) {
    return (int) (number & (sentNs.length - 1));
  }

  private boolean invariantsHold() {
    final boolean isEmpty = outstandingPackets == 0;
    return (isEmpty ? oldest == next : oldest < next && outstanding.isSet(oldest))
        && outstandingPackets <= maxPackets
        && heldItems() >= 0
        && heldItems() <= maxItems
        && (!isEmpty || openNumber != NONE || heldItems() == 0)
        && lostPackets >= 0;
  }
}
