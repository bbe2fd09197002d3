package io.millrace.udp.linux;

import static io.millrace.udp.linux.MessageLayout.IOVEC_BYTES;
import static io.millrace.udp.linux.MessageLayout.MMSGHDR_BYTES;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.EndpointCounters;
import io.millrace.driver.MappedMemory;
import io.millrace.memory.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Receives into slots of native memory, many slots in one call, or one slot in a shorter call while
 * datagrams come one by one, and gives the handler each datagram of the received trains. Every call
 * uses the slots from the first on, so few datagrams touch little memory. If the handler throws,
 * the rest of the call's datagrams are lost. Owned by the endpoint; does not allocate after
 * construction.
 */
final class ReceiveRing {
  private static final int SLOTS = 32;
  private static final int NO_SLOT = -1;
  private static final int PAGE_BYTES = 4_096;
  private static final int CONTROL_BYTES = 128;
  private static final int MAX_JOINED_BYTES = 65_536;

  // The offset of slots from a page's beginning. On certain processors a copy is many times slower
  // if source and destination differ by 1 to 15 modulo the page size. The system's buffers start
  // close to a page, so slots stay away from a page's beginning. Slots are offset by cache lines,
  // so the first bytes of slots do not compete for the same cache set.
  private static final int PAGE_OFFSET_BYTES = 128;
  private static final int STAGGER_BYTES = 64;
  private static final int STAGGERED_SLOTS = 16;

  /** The call for the next poll. */
  private enum Mode {
    /** The long call, for several slots. */
    SOME,

    /** The short call for one slot: the last arrivals came one by one. */
    ONE,

    /** The long call, to find out whether another slot can be filled behind the last. */
    LOOK
  }

  private final Libc libc;
  private final int fd;
  private final int maxDatagramBytes;
  private final EndpointCounters counters;
  private final ReceivedControl control = new ReceivedControl();
  private final SegmentBuffer table;
  private final MemorySegment memory;
  private final SegmentBuffer slots;
  private final int slotStrideBytes;
  private final IpVersion version;
  private int usedSlots;
  private Mode mode = Mode.SOME;

  /** The slot of the handler's present datagram, or {@link #NO_SLOT}. */
  private int present = NO_SLOT;

  private int datagramsPerSlot = 1;

  ReceiveRing(
      Libc libc, Arena arena, BoundSocket socket, int maxDatagramBytes, EndpointCounters counters) {
    this.libc = libc;
    this.fd = socket.fd();
    version = socket.version();
    this.maxDatagramBytes = maxDatagramBytes;
    this.counters = counters;
    int slotBytes = socket.joinsTrains() ? MAX_JOINED_BYTES : maxDatagramBytes;
    slotStrideBytes =
        roundUp(slotBytes + PAGE_OFFSET_BYTES + STAGGERED_SLOTS * STAGGER_BYTES, PAGE_BYTES);
    int bytes = SLOTS * slotStrideBytes;
    memory = MappedMemory.map(arena, bytes, PAGE_BYTES);
    slots = new SegmentBuffer(memory.address(), bytes);
    int tableBytes = SLOTS * (MMSGHDR_BYTES + IOVEC_BYTES + CONTROL_BYTES + Sockaddr.MAX_BYTES);
    table = new SegmentBuffer(arena.allocate(tableBytes, PAGE_BYTES).address(), tableBytes);
    table.setMemory(0, tableBytes, (byte) 0);
    for (int slot = 0; slot < SLOTS; slot++) {
      describe(slot, slotBytes);
    }
  }

  private static int roundUp(int value, int multiple) {
    return (value + multiple - 1) / multiple * multiple;
  }

  private void describe(int slot, int slotBytes) {
    int header = slot * MMSGHDR_BYTES;
    int vector = SLOTS * MMSGHDR_BYTES + slot * IOVEC_BYTES;
    long base = table.addressOffset();
    table.putLong(vector + MessageLayout.IOV_BASE, slots.addressOffset() + offset(slot));
    table.putLong(vector + MessageLayout.IOV_LEN, slotBytes);
    table.putLong(header + MessageLayout.MSG_IOV, base + vector);
    table.putLong(header + MessageLayout.MSG_IOVLEN, 1);
    table.putLong(header + MessageLayout.MSG_CONTROL, base + controlOffset(slot));
    table.putLong(header + MessageLayout.MSG_CONTROLLEN, CONTROL_BYTES);
    table.putLong(header + MessageLayout.MSG_NAME, base + nameOffset(slot));
    table.putInt(header + MessageLayout.MSG_NAMELEN, Sockaddr.MAX_BYTES);
  }

  private int offset(int slot) {
    return slot * slotStrideBytes + PAGE_OFFSET_BYTES + slot % STAGGERED_SLOTS * STAGGER_BYTES;
  }

  private static int controlOffset(int slot) {
    return SLOTS * (MMSGHDR_BYTES + IOVEC_BYTES) + slot * CONTROL_BYTES;
  }

  private static int nameOffset(int slot) {
    return SLOTS * (MMSGHDR_BYTES + IOVEC_BYTES + CONTROL_BYTES) + slot * Sockaddr.MAX_BYTES;
  }

  /** Returns the source of the handler's present datagram, or null; allocates. */
  @Nullable InetSocketAddress source() {
    return present == NO_SLOT ? null : Sockaddr.read(table, nameOffset(present), version);
  }

  /**
   * Receives about {@code limit} datagrams and gives the datagrams to the handler.
   *
   * @return the number of datagrams given to the handler, or an error number negated
   */
  int poll(CompletionHandler handler, int limit) {
    // Set the room for control messages and for the address again: the kernel has overwritten both
    // fields.
    for (int slot = 0; slot < usedSlots; slot++) {
      table.putLong(slot * MMSGHDR_BYTES + MessageLayout.MSG_CONTROLLEN, CONTROL_BYTES);
      table.putInt(slot * MMSGHDR_BYTES + MessageLayout.MSG_NAMELEN, Sockaddr.MAX_BYTES);
    }
    usedSlots = 0;
    int wanted = Math.clamp(limit / datagramsPerSlot, 1, SLOTS);
    int received = mode == Mode.ONE ? receiveOne() : receiveSome(wanted);
    if (received <= 0) {
      return received;
    }
    usedSlots = received;
    counters.receiveCalls++;
    int datagrams = 0;
    try {
      for (int slot = 0; slot < received; slot++) {
        present = slot;
        datagrams += deliver(slot, handler);
      }
    } finally {
      present = NO_SLOT;
    }
    datagramsPerSlot = Math.max(1, datagrams / received);
    return datagrams;
  }

  /** Receives into as many slots as wanted; returns their number, or an error number negated. */
  private int receiveSome(int wanted) {
    int received = libc.recvmmsg(fd, table.addressOffset(), wanted, MessageLayout.MSG_DONTWAIT);
    if (mode == Mode.LOOK) {
      mode = received > 0 ? Mode.SOME : Mode.ONE;
    } else if (received == 1) {
      mode = Mode.ONE;
    }
    return received;
  }

  /** Receives into the first slot; returns 1, or an error number negated. */
  private int receiveOne() {
    long bytes = libc.recvmsg(fd, table.addressOffset(), MessageLayout.MSG_DONTWAIT);
    if (bytes < 0) {
      return (int) bytes;
    }
    table.putInt(MessageLayout.MSG_LEN, (int) bytes);
    mode = Mode.LOOK;
    return 1;
  }

  /**
   * Gives the pages of all slots back to the system; outside {@link #poll} no code reads the slots.
   */
  void giveBack() {
    if (present == NO_SLOT) {
      MappedMemory.giveBack(memory, 0, memory.byteSize());
    }
  }

  private int deliver(int slot, CompletionHandler handler) {
    int header = slot * MMSGHDR_BYTES;
    int length = table.getInt(header + MessageLayout.MSG_LEN);
    int controlBytes = (int) table.getLong(header + MessageLayout.MSG_CONTROLLEN);
    control.read(table, controlOffset(slot), controlBytes);
    if (control.drops() != 0) {
      counters.receiveQueueDrops = control.drops() & 0xFFFF_FFFFL;
    }
    int segment = control.segmentBytes() > 0 ? control.segmentBytes() : length;
    boolean isCut = (table.getInt(header + MessageLayout.MSG_FLAGS) & MessageLayout.MSG_TRUNC) != 0;
    if (isCut || segment > maxDatagramBytes) {
      counters.oversizedDrops += segment == 0 ? 1 : (length + segment - 1) / segment;
      return 0;
    }
    return deliver(offset(slot), length, segment, handler);
  }

  private int deliver(int start, int length, int segment, CompletionHandler handler) {
    int ecn = control.ecn();
    int datagrams = 0;
    int done = 0;
    do {
      int bytes = Math.min(segment, length - done);
      counters.datagramsReceived++;
      counters.bytesReceived += bytes;
      datagrams++;
      handler.onReceive(slots, start + done, bytes, ecn);
      done += bytes;
    } while (done < length);
    return datagrams;
  }
}
