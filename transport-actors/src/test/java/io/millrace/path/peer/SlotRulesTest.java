package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteMemory;
import io.millrace.driver.RemoteWrite;
import io.millrace.ends.PathCounters;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.network.Rail;
import io.millrace.path.network.RailPlan;
import io.millrace.path.packet.PathTerms;
import io.millrace.path.registration.RegistrationEpisode;
import io.millrace.path.slot.Immediate;
import io.millrace.path.slot.PathSlots;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.PacketSlotsDecoder;
import io.millrace.wire.codec.PacketSlotsEncoder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Packets written with an immediate value; rules I-1 to I-5. */
class SlotRulesTest {
  private static final RouteId ROUTE = RouteId.of("slots");
  private static final int SLOTS = 4;
  private static final int SLOT_BYTES = 1_024;
  private static final long STEP_NS = 100_000;
  private static final int FAR_FIRST = 16;
  private static final long FAR_ADDRESS = 1 << 20;
  private static final long FAR_KEY = 77;

  /** The last packet number that the peer of a test acknowledges. */
  private long acked = -1;

  private final Written memory = new Written();
  private final FakeEndpoint endpoint = new FakeEndpoint(16, 64);
  private WorkerLab lab;
  private PeerLink link;
  private PeerPath path;
  private final FarSide far = new FarSide(1, false);
  private long slotsKey;
  private int firstSlot;

  /** Keeps registrations and posted writes. */
  private static final class Written implements RemoteMemory {
    final List<MemoryRegion> regions = new ArrayList<>();
    final List<Write> writes = new ArrayList<>();
    final List<MemoryRegion> refusedEnds = new ArrayList<>();
    int deregistered;
    int tries;
    boolean refusesTargets;
    boolean refusesSources;
    private long made;

    @Override
    public MemoryRegion register(MemorySegment memory, boolean remoteWrite) throws DriverException {
      tries++;
      if (remoteWrite ? refusesTargets : refusesSources) {
        throw new DriverException("no more", DriverException.Kind.LOCKED_MEMORY_LIMIT);
      }
      long handle = ++made;
      MemoryRegion region = new MemoryRegion(memory, 1_000 + handle, 0, handle);
      regions.add(region);
      return region;
    }

    @Override
    public void deregister(MemoryRegion region) throws DriverException {
      if (refusedEnds.contains(region) || !regions.remove(region)) {
        throw new DriverException("no such registration");
      }
      deregistered++;
    }

    @Override
    public boolean postWrite(int destination, RemoteWrite write, long context) {
      MemorySegment from = write.source().memory().asSlice(write.sourceOffset(), write.length());
      byte[] bytes = from.toArray(ValueLayout.JAVA_BYTE);
      writes.add(
          new Write(write.remoteAddress(), write.remoteKey(), write.immediate(), context, bytes));
      return true;
    }
  }

  /** A posted write. */
  private record Write(long address, long key, long immediate, long context, byte[] bytes) {}

  @BeforeEach
  void open() throws Exception {
    endpoint.memory = memory;
    lab = new WorkerLab(endpoint, "millrace.regions.packet-slots = " + SLOTS, PathLab.SMALL);
    link = lab.link(1);
    path = lab.open(link, terms(1));
    lab.turns(1, STEP_NS);
    byte[] frame = null;
    for (byte[] datagram : endpoint.sent) {
      frame = frame == null ? far.frame(datagram, PacketSlotsDecoder.TEMPLATE_ID) : frame;
    }
    endpoint.sent.clear();
    assertNotNull(frame, "the path tells of its slots");
    PacketSlotsDecoder told =
        new PacketSlotsDecoder()
            .wrap(new SegmentBuffer(frame), FrameStart.LENGTH, PacketSlotsDecoder.BLOCK_LENGTH, 0);
    assertEquals(SLOTS, told.slots());
    assertEquals(SLOT_BYTES, told.slotBytes());
    slotsKey = told.key();
    firstSlot = (int) told.firstSlot();
  }

  private static PathTerms terms(int number) {
    return terms(number, true);
  }

  private static PathTerms terms(int number, boolean immediates) {
    PathTerms terms = WorkerLab.terms(number, true, WorkerLab.WINDOW_BYTES);
    PathTerms.Agreement usual = terms.agreement();
    return new PathTerms(
        terms.peer(),
        terms.secret(),
        true,
        terms.workers(),
        new RailPlan(List.of(rail(0), rail(1)), true, false),
        terms.sendLimitBytes(),
        terms.receiveWindow(),
        new PathTerms.Agreement(
            usual.remoteTransfers(),
            usual.maxDatagramBytes(),
            usual.keySize(),
            usual.remoteHeadersBytes(),
            usual.remoteCreditMs(),
            usual.queueNs(),
            immediates,
            false),
        terms.handshake());
  }

  private static Rail rail(int remote) {
    return new Rail(0, remote, new EndpointAddress("fake", new byte[] {(byte) (1 + remote)}), true);
  }

  private PathCounters counters() {
    return lab.services.context().counters();
  }

  private MemorySegment inbound() {
    for (MemoryRegion region : memory.regions) {
      if (region.remoteKey() == slotsKey) {
        return region.memory();
      }
    }
    throw new AssertionError("the slots are not registered");
  }

  /** Writes a packet into a slot of the path, as the peer's NIC does. */
  private void put(int slot, byte[] packet) {
    MemorySegment.copy(
        MemorySegment.ofArray(packet), 0, inbound(), (long) slot * SLOT_BYTES, packet.length);
  }

  private void announce(long immediate) {
    endpoint.immediates.add(immediate);
    lab.turns(1, STEP_NS);
  }

  private static long numberOf(byte[] packet) {
    return PacketHeader.packetNumber(new SegmentBuffer(packet), 0);
  }

  private long right(int slot, byte[] packet) {
    return Immediate.of(firstSlot + slot, numberOf(packet), packet.length);
  }

  @Test
  void shouldReadAPacketFromItsSlot() {
    byte[] packet = far.packet(FarSide.probe());
    put(2, packet);
    long before = counters().packetsReceived;
    announce(right(2, packet));
    assertEquals(before + 1, counters().packetsReceived);
    assertEquals(0, counters().immediatesRejected);
  }

  @Test
  void shouldReadAPacketOnce() {
    byte[] packet = far.packet(FarSide.probe());
    put(1, packet);
    long before = counters().packetsReceived;
    announce(right(1, packet));
    announce(right(1, packet));
    put(3, packet);
    announce(right(3, packet));
    assertEquals(before + 1, counters().packetsReceived);
    assertEquals(2, counters().duplicatesDropped);
  }

  @Test
  void shouldCountAndDropAWrongValue() {
    byte[] packet = far.packet(FarSide.probe());
    put(0, packet);
    long value = right(0, packet);
    long[] wrong = {
      0,
      -1,
      value | 1L << 32,
      value ^ 1L << 28,
      value ^ 1L << 29,
      value ^ 1L << 22,
      value ^ 1L << 27,
      // a slot of no path, and the last slot
      value + ((long) SLOTS << 10),
      value | 0xFFFL << 10,
      // a length that no packet has
      value & ~0x3FFL,
    };
    long before = counters().packetsReceived;
    for (int i = 0; i < wrong.length; i++) {
      announce(wrong[i]);
      assertEquals(i + 1, counters().immediatesRejected, "value " + Long.toHexString(wrong[i]));
    }
    assertEquals(before, counters().packetsReceived);
    announce(value);
    assertEquals(before + 1, counters().packetsReceived);
    assertTrue(lab.ended.isEmpty() && lab.faults.isEmpty());
  }

  @Test
  void shouldMeetTheSealWithAWrongLengthOrChangedBytes() {
    byte[] packet = far.packet(FarSide.probe());
    put(0, packet);
    announce(Immediate.of(firstSlot, numberOf(packet), packet.length + 1));
    packet[packet.length - 1] ^= 1;
    put(0, packet);
    announce(right(0, packet));
    assertEquals(2, counters().authenticationFailures);
    packet[packet.length - 1] ^= 1;
    put(0, packet);
    long before = counters().packetsReceived;
    announce(right(0, packet));
    assertEquals(before + 1, counters().packetsReceived);
  }

  @Test
  void shouldRejectAPacketOfAnotherPathInTheSlot() throws Exception {
    PeerPath other = lab.open(lab.link(2), 2, true);
    byte[] packet = new FarSide(2, false).packet(FarSide.probe());
    put(0, packet);
    long before = counters().packetsReceived;
    announce(right(0, packet));
    assertEquals(1, counters().immediatesRejected);
    assertEquals(before, counters().packetsReceived);
    assertTrue(!other.isOver());
  }

  @Test
  void shouldRejectAValueOfAnEndedPathAndLetItsMemoryRest() throws Exception {
    byte[] packet = far.packet(FarSide.probe());
    put(0, packet);
    long value = right(0, packet);
    path.close(CloseReason.SHUTDOWN, CallOutcome.PEER_RESET, "over");
    assertEquals(2, memory.deregistered);
    announce(value);
    assertEquals(1, counters().immediatesRejected);

    FarSide second = new FarSide(3, false);
    assertNotEquals(firstSlot, firstSlotOfNext(second, 3), "the block rests");
    lab.nowNs += lab.services.context().settings().regions().quarantineNs();
    lab.turns(1, STEP_NS);
    assertEquals(firstSlot, firstSlotOfNext(new FarSide(4, false), 4));
  }

  private int firstSlotOfNext(FarSide side, int number) throws Exception {
    endpoint.sent.clear();
    lab.open(lab.link(number), terms(number));
    lab.turns(1, STEP_NS);
    byte[] frame = null;
    for (byte[] datagram : endpoint.sent) {
      boolean isOfPath =
          PacketHeader.pathId(new SegmentBuffer(datagram), 0) == FarSide.pathId(number);
      if (frame == null && isOfPath) {
        frame = side.frame(datagram, PacketSlotsDecoder.TEMPLATE_ID);
      }
    }
    assertNotNull(frame);
    return (int)
        new PacketSlotsDecoder()
            .wrap(new SegmentBuffer(frame), FrameStart.LENGTH, PacketSlotsDecoder.BLOCK_LENGTH, 0)
            .firstSlot();
  }

  private static byte[] slots(int first, int count, int bytes) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    PacketSlotsEncoder encoder = new PacketSlotsEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.address(FAR_ADDRESS).key(FAR_KEY).firstSlot(first).slots(count).slotBytes(bytes);
    return FarSide.framed(
        frame, encoder.limit(), PacketSlotsEncoder.BLOCK_LENGTH, PacketSlotsEncoder.TEMPLATE_ID);
  }

  private void arrive(byte[]... frames) {
    endpoint.arrivals.add(far.packet(frames));
    lab.turns(1, STEP_NS);
  }

  /** Calls the peer: the request is a packet of its own. */
  private void call() {
    link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
    lab.turns(1, STEP_NS);
  }

  /** Ends all posted writes, and acknowledges all packets. */
  private void settle() {
    acked = path.recovery().nextPacketNumber() - 1;
    endWrites();
    arrive(FarSide.ackUpTo(acked));
  }

  private void endWrites() {
    for (Write each : memory.writes) {
      endpoint.endedWrites.add(each.context());
    }
    memory.writes.clear();
  }

  @Test
  void shouldWriteSmallPacketsIntoTheSlotsOfThePeerInTurn() {
    arrive(slots(FAR_FIRST, 2, SLOT_BYTES));
    for (int i = 0; i < 5; i++) {
      call();
      Write write = memory.writes.getLast();
      int slot = i % 2;
      assertEquals(FAR_ADDRESS + (long) slot * SLOT_BYTES, write.address());
      assertEquals(FAR_KEY, write.key());
      assertEquals(
          Immediate.of(FAR_FIRST + slot, numberOf(write.bytes()), write.bytes().length),
          write.immediate());
      settle();
    }
    assertEquals(5, counters().packetsWritten);
  }

  @Test
  void shouldWriteASecondPacketOnlyAfterTheFirstWasAcknowledged() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    call();
    call();
    assertEquals(1, counters().packetsWritten);
    settle();
    call();
    call();
    assertEquals(3, counters().packetsWritten);
  }

  @Test
  void shouldNotTouchASlotBeforeItsWriteHasEndedAndItsPacketHasArrived() {
    arrive(slots(FAR_FIRST, 1, SLOT_BYTES));
    call();
    long context = memory.writes.getFirst().context();
    arrive(FarSide.ackUpTo(path.recovery().nextPacketNumber() - 1));
    call();
    assertEquals(1, counters().packetsWritten, "the write is under way");
    endpoint.endedWrites.add(context);
    lab.turns(1, STEP_NS);
    call();
    assertEquals(2, counters().packetsWritten);
    endpoint.endedWrites.add(memory.writes.getLast().context());
    lab.turns(1, STEP_NS);
    call();
    assertEquals(2, counters().packetsWritten, "the packet is in flight");
  }

  @Test
  void shouldSendAfterAFailedWrite() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    call();
    settle();
    call();
    endpoint.endStatus = CompletionHandler.STATUS_REMOTE_ACCESS;
    settle();
    call();
    assertEquals(2, counters().packetsWritten);
    assertEquals(1, counters().packetWritesFailed);
  }

  @Test
  void shouldSendOnEveryOtherRailOfOneSidedWrites() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    int destination = path.packets().destination();
    assertTrue(lab.services.context().network().use(destination, 1));
    assertTrue(lab.services.context().network().isOneSided(destination));
    call();
    assertEquals(0, counters().packetsWritten);
    assertTrue(lab.services.context().network().use(destination, 0));
    call();
    assertEquals(1, counters().packetsWritten);
  }

  @Test
  void shouldSendAPacketLargerThanTheSlotsOfThePeer() {
    arrive(slots(FAR_FIRST, SLOTS, 50));
    endpoint.sent.clear();
    call();
    assertEquals(0, counters().packetsWritten);
    assertTrue(!endpoint.sent.isEmpty());
  }

  @Test
  void shouldTakeSlotsOnceAndRefuseWrongSlots() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    arrive(slots(FAR_FIRST + 100, SLOTS, SLOT_BYTES));
    call();
    assertEquals(FAR_FIRST, (int) (memory.writes.getFirst().immediate() >> 10) & 0xFFF);
    arrive(slots(Immediate.SLOTS - SLOTS + 1, SLOTS, SLOT_BYTES));
    assertEquals(1, counters().protocolViolations);
    assertEquals(List.of(path), lab.ended);
  }

  @Test
  void shouldHaveNothingAndTakeNothingWhereSlotsWereNotAgreedOn() throws Exception {
    int before = memory.tries;
    PeerPath other = lab.open(lab.link(2), terms(2, false));
    assertNull(other.slots());
    assertEquals(before, memory.tries);
    endpoint.arrivals.add(new FarSide(2, false).packet(slots(FAR_FIRST, SLOTS, SLOT_BYTES)));
    lab.turns(1, STEP_NS);
    assertEquals(1, counters().protocolViolations);
    assertEquals(List.of(other), lab.ended);
  }

  @Test
  void shouldHaveNothingWithoutTheSettingAndCountEachValue() throws Exception {
    FakeEndpoint other = new FakeEndpoint(16, 64);
    other.memory = memory;
    WorkerLab plain = new WorkerLab(other, "", PathLab.SMALL);
    int before = memory.tries;
    PeerPath plainPath = plain.open(plain.link(1), terms(1));
    assertNull(plain.services.slots());
    assertNull(plainPath.slots());
    assertEquals(before, memory.tries);
    other.immediates.add(right(0, far.packet(FarSide.probe())));
    plain.turns(1, STEP_NS);
    assertEquals(1, plain.services.context().counters().immediatesRejected);
    assertTrue(plain.ended.isEmpty() && plain.faults.isEmpty());
  }

  @Test
  void shouldIgnoreSlotsOfThePeerWithoutItsOwn() throws Exception {
    memory.refusesTargets = true;
    PeerPath other = lab.open(lab.link(2), terms(2));
    assertNull(other.slots());
    endpoint.arrivals.add(new FarSide(2, false).packet(slots(FAR_FIRST, SLOTS, SLOT_BYTES)));
    lab.turns(1, STEP_NS);
    assertTrue(lab.ended.isEmpty() && lab.faults.isEmpty());
  }

  @Test
  void shouldTryARefusedRegistrationAgainAfterAWhile() throws Exception {
    memory.refusesTargets = true;
    int before = memory.tries;
    lab.open(lab.link(2), terms(2));
    lab.open(lab.link(3), terms(3));
    assertEquals(before + 1, memory.tries);
    assertEquals(1, lab.events.count("RegistrationRefused"));
    memory.refusesTargets = false;
    lab.nowNs += RegistrationEpisode.FIRST_RETRY_NS;
    lab.turns(1, STEP_NS);
    // The block of the refused registration is free.
    assertEquals(firstSlot + SLOTS, firstSlotOfNext(new FarSide(4, false), 4));
    assertEquals(1, lab.events.count("RegistrationRefused"));
    assertEquals(1, lab.events.count("RegistrationRestored"));
  }

  @Test
  void shouldEndTheOneRegistrationIfTheOtherIsRefused() throws Exception {
    memory.refusesSources = true;
    lab.open(lab.link(2), terms(2));
    assertEquals(2, memory.regions.size());
  }

  @Test
  void shouldEndTheRegistrationOfItsPacketsWithTheLastWrite() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    call();
    settle();
    call();
    call();
    path.close(CloseReason.SHUTDOWN, CallOutcome.PEER_RESET, "over");
    assertEquals(1, memory.regions.size());
    endpoint.endedWrites.add(memory.writes.getFirst().context());
    lab.turns(1, STEP_NS);
    assertEquals(1, memory.regions.size());
    endpoint.endedWrites.add(memory.writes.getLast().context());
    lab.turns(1, STEP_NS);
    assertEquals(0, memory.regions.size());
  }

  @Test
  void shouldTryARefusedEndOfARegistrationAgain() throws Exception {
    MemoryRegion target = memory.regions.getFirst();
    memory.refusedEnds.add(target);
    path.close(CloseReason.SHUTDOWN, CallOutcome.PEER_RESET, "over");
    assertEquals(List.of(target), memory.regions);
    lab.open(lab.link(4), terms(4));
    assertEquals(1, lab.events.count("ResourceDegraded"));
    lab.nowNs += lab.services.context().settings().regions().quarantineNs();
    memory.refusedEnds.clear();
    lab.turns(1, STEP_NS);
    assertEquals(firstSlot + 2 * SLOTS, firstSlotOfNext(new FarSide(2, false), 2));
    assertTrue(!memory.regions.contains(target));
  }

  @Test
  void shouldNotAnswerAndCountAPacketOfAnUnknownPathInTheSlot() {
    byte[] packet = new FarSide(5, false).packet(FarSide.probe());
    put(0, packet);
    lab.turns(1, STEP_NS);
    endpoint.sent.clear();
    announce(right(0, packet));
    lab.turns(2, STEP_NS);
    assertEquals(1, counters().immediatesRejected);
    assertEquals(0, counters().datagramsDropped);
    assertTrue(endpoint.sent.isEmpty());
  }

  @Test
  void shouldNotWriteAPacketThatIsNotInFlight() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    call();
    byte[] packet = memory.writes.getFirst().bytes();
    settle();
    PathSlots slots = path.slots();
    assertNotNull(slots);
    assertTrue(!slots.post(new SegmentBuffer(packet), packet.length));
    assertTrue(memory.writes.isEmpty());
  }

  /**
   * Makes this number of calls, and acknowledges the last three of their packets alone. The lost
   * frames go again at once.
   */
  private void loseAllButThree(int calls) {
    for (int i = 0; i < calls; i++) {
      call();
    }
    endWrites();
    acked = path.recovery().nextPacketNumber() - 1;
    arrive(FarSide.ackOf(acked - 2, acked));
  }

  /** Whether a packet is written now. */
  private boolean writes() {
    long before = counters().packetsWritten;
    call();
    return counters().packetsWritten > before;
  }

  @Test
  void shouldSendAfterThreeLossesInARow() {
    settle();
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    for (int i = 1; i <= 3; i++) {
      loseAllButThree(4);
      // The lost frames go again in a packet of their own, which is lost with the next calls.
      assertEquals(Math.min(i + 1, 3), counters().packetsWritten);
      assertEquals(2 * i - 1, counters().packetsLost);
    }
    assertTrue(!writes());
  }

  @Test
  void shouldCountPacketsThatWereUnderWayTogetherAsOneLoss() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    call();
    settle();
    loseAllButThree(SLOTS + 3);
    assertEquals(SLOTS, counters().packetsLost);
    assertTrue(writes());
  }

  @Test
  void shouldWriteAgainAfterASpuriousLoss() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    for (int i = 1; i <= 3; i++) {
      loseAllButThree(4);
    }
    assertTrue(!writes());
    arrive(FarSide.ackUpTo(acked));
    assertTrue(counters().spuriousLosses > 0);
    assertTrue(writes());
  }

  @Test
  void shouldBeginTheRowOfLossesAnewWithAnArrival() {
    arrive(slots(FAR_FIRST, SLOTS, SLOT_BYTES));
    for (int i = 1; i <= 4; i++) {
      loseAllButThree(4);
      if (i == 2) {
        call();
        settle();
      }
    }
    assertTrue(writes());
  }
}
