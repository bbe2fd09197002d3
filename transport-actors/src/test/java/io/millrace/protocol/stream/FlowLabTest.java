package io.millrace.protocol.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A flow, both ends of the flow, and the violations that a peer may commit. */
class FlowLabTest {
  private static final int SEEDS = 300;

  @ParameterizedTest
  @EnumSource(FlowLab.Ending.class)
  void shouldEndAsItWasMeantToWhateverIsLostDoubledOrSwapped(FlowLab.Ending ending) {
    int lostAfterClose = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      FlowLab lab = new FlowLab(seed, ending);
      try {
        lab.run();
        lostAfterClose += lab.wasLostAfterClose() ? 1 : 0;
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + lab, e);
      }
    }
    assertEquals(ending == FlowLab.Ending.SEGMENT_LOST, lostAfterClose > SEEDS / 20);
  }

  private final ArrayDeque<byte[]> got = new ArrayDeque<>();
  private final TestMemory memory = new TestMemory();
  private final StreamReceiver receiver = new StreamReceiver(FlowLab.WINDOW, memory, got::add);

  private SegmentVerdict arrive(long number, long element, int flags, int... lengths) {
    return arrive(receiver, number, element, flags, lengths);
  }

  private static SegmentVerdict arrive(
      StreamReceiver receiver, long number, long element, int flags, int... lengths) {
    SegmentBuffer buffer = new SegmentBuffer(new byte[70_000]);
    int total = 0;
    for (int i = 0; i < lengths.length; i++) {
      buffer.putShort(i * 2, (short) lengths[i], java.nio.ByteOrder.LITTLE_ENDIAN);
      total += lengths[i];
    }
    SegmentPlace place = new SegmentPlace();
    place.set(buffer, 0, 2, lengths.length);
    place.elements(100, total);
    return receiver.onSegment(number, element, flags, buffer, place);
  }

  @Test
  void shouldRefuseElementsBeyondTheCredit() {
    assertEquals(SegmentVerdict.TAKEN, arrive(0, 0, 0, new int[16]));
    assertEquals(SegmentVerdict.VIOLATION, arrive(1, 16, 0, 0));
  }

  @Test
  void shouldRefuseBytesBeyondTheCreditAndOneSegment() {
    assertEquals(SegmentVerdict.TAKEN, arrive(0, 0, 0, StreamWindow.INITIAL_BYTES - 1));
    assertEquals(SegmentVerdict.TAKEN, arrive(1, 1, 0, 9_000));
    assertEquals(SegmentVerdict.VIOLATION, arrive(2, 2, 0, 1));
  }

  @Test
  void shouldCountBytesAlikeWhateverTheOrder() {
    assertEquals(SegmentVerdict.TAKEN, arrive(1, 1, 0, 9_000));
    assertEquals(SegmentVerdict.TAKEN, arrive(0, 0, 0, StreamWindow.INITIAL_BYTES - 1));
    assertEquals(SegmentVerdict.VIOLATION, arrive(2, 2, 0, 1));
  }

  @Test
  void shouldRefuseWhatContradictsTheSegmentsBefore() {
    assertContradicts(0, 0, StreamReceiver.CONTINUED, 1);
    assertContradicts(0, 1, 0, 1);
    assertContradicts(0, 0, StreamReceiver.UNFINISHED, 0);
    assertContradicts(-1, 0, 0, 1);
    assertContradicts(0, -1, 0, 1);
    assertContradicts(1L << 40, 0, 0, 1);
    assertContradicts(0, 0, 0);
  }

  private static void assertContradicts(long number, long element, int flags, int... lengths) {
    FlowLabTest fresh = new FlowLabTest();
    assertEquals(SegmentVerdict.VIOLATION, fresh.arrive(number, element, flags, lengths));
    assertTrue(fresh.got.isEmpty());
  }

  @Test
  void shouldRefuseAnElementLongerThanItTakes() {
    StreamReceiver narrow =
        new StreamReceiver(
            new StreamWindow(16, StreamWindow.INITIAL_BYTES, 10, 10), memory, got::add);
    SegmentPlace place = new SegmentPlace();
    SegmentBuffer buffer = new SegmentBuffer(new byte[100]);
    buffer.putByte(0, (byte) 6);
    place.set(buffer, 0, 2, 1);
    place.elements(10, 6);

    assertEquals(
        SegmentVerdict.TAKEN, narrow.onSegment(0, 0, StreamReceiver.UNFINISHED, buffer, place));
    assertEquals(
        SegmentVerdict.TOO_LARGE, narrow.onSegment(1, 0, StreamReceiver.CONTINUED, buffer, place));
  }

  @Test
  void shouldSetAsideWhatWaitsBeforeItIsKept() {
    assertEquals(SegmentVerdict.TAKEN, arrive(0, 0, StreamReceiver.UNFINISHED, 100, 50));
    assertEquals(ElementMemory.cost(1, 100) + 50, memory.usedBytes);
    assertEquals(SegmentVerdict.TAKEN, arrive(2, 2, 0, 30));
    assertTrue(memory.usedBytes > ElementMemory.cost(1, 100) + 50 + 30);
    assertEquals(SegmentVerdict.TAKEN, arrive(1, 1, StreamReceiver.CONTINUED, 10));
    assertEquals(ElementMemory.cost(3, 100 + 60 + 30), memory.usedBytes);
    assertEquals(3, got.size());
  }

  @Test
  void shouldTakeNothingThatThereIsNoMemoryFor() {
    memory.mostBytes = 200;
    assertEquals(SegmentVerdict.NO_ROOM, arrive(1, 1, 0, 200));
    assertEquals(SegmentVerdict.NO_ROOM, arrive(0, 0, 0, 137));
    assertTrue(got.isEmpty());
    assertEquals(0, memory.usedBytes);

    FlowLabTest other = new FlowLabTest();
    other.memory.mostBytes = 200;
    assertEquals(SegmentVerdict.NO_ROOM, other.arrive(0, 0, StreamReceiver.UNFINISHED, 201));
    assertEquals(0, other.memory.usedBytes);
  }

  @Test
  void shouldTakeWhatIsBeyondTheWindowFromWhatMessagesShare() {
    memory.mostAssemblyBytes = 10_000;
    long window = FlowLab.WINDOW.bytes();
    assertEquals(SegmentVerdict.TAKEN, arrive(0, 0, StreamReceiver.UNFINISHED, 16_000));
    receiver.announce();
    int goesOn = StreamReceiver.CONTINUED | StreamReceiver.UNFINISHED;
    assertEquals(SegmentVerdict.NO_ROOM, arrive(1, 0, goesOn, 16_000));
    assertEquals(0, memory.assemblyBytes);

    FlowLabTest other = new FlowLabTest();
    other.memory.mostAssemblyBytes = 32_000 - window;
    other.arrive(0, 0, StreamReceiver.UNFINISHED, 16_000);
    other.receiver.announce();
    assertEquals(SegmentVerdict.TAKEN, other.arrive(1, 0, goesOn, 16_000));
    assertEquals(window, other.memory.usedBytes);
    assertEquals(32_000 - window, other.memory.assemblyBytes);
    assertTrue(other.receiver.onCancel());
    assertEquals(0, other.memory.usedBytes);
    assertEquals(0, other.memory.assemblyBytes);
  }

  @Test
  void shouldGiveBackWhatCameEarlyAndInPartWhenTheFlowEnds() {
    arrive(0, 0, StreamReceiver.UNFINISHED, 50);
    arrive(2, 1, 0, 50);
    assertTrue(memory.usedBytes > 100);
    receiver.onPathEnded();
    assertEquals(0, memory.usedBytes);
  }

  @Test
  void shouldRefuseAFirstElementThatIsLongerThanHeadersMayBe() {
    StreamReceiver responses =
        new StreamReceiver(new StreamWindow(16, 16 << 10, 1_000, 100), memory, got::add);
    assertEquals(SegmentVerdict.TOO_LARGE, arrive(responses, 0, 0, 0, 101));
    responses = new StreamReceiver(new StreamWindow(16, 16 << 10, 1_000, 100), memory, got::add);
    assertEquals(SegmentVerdict.TAKEN, arrive(responses, 0, 0, 0, 100, 1_000));
    assertEquals(SegmentVerdict.TOO_LARGE, arrive(responses, 1, 2, 0, 1_001));
  }

  @Test
  void shouldRefuseACloseBeforeWhatHasArrived() {
    arrive(3, 3, 0, 1);
    assertEquals(SegmentVerdict.VIOLATION, receiver.onClose(true, 3, 65));
    assertEquals(SegmentVerdict.VIOLATION, receiver.onClose(true, 4, 64));
    assertEquals(SegmentVerdict.TAKEN, receiver.onClose(true, 4, 260));
    assertEquals(SegmentVerdict.VIOLATION, arrive(4, 4, 0, 1));
    assertEquals(ReceiveFlowState.CLOSE_KNOWN, receiver.state());
  }

  @Test
  void shouldTakeNothingAfterACancellationAndSettleTheCostAtTheClose() {
    arrive(0, 0, 0, 10);
    assertTrue(receiver.onCancel());
    assertFalse(receiver.onCancel());
    assertEquals(SegmentVerdict.IGNORED, arrive(1, 1, 0, 10));
    assertEquals(74, receiver.accountedCost());

    receiver.onClose(false, 0, 148);

    assertEquals(ReceiveFlowState.CLOSED, receiver.state());
    assertEquals(74, receiver.takeUnaccounted());
    assertEquals(0, receiver.takeUnaccounted());
  }

  @Test
  void shouldRefuseAnAcknowledgementOfNoClose() {
    StreamSender sender = new StreamSender();
    assertFalse(sender.onCloseAck());
    sender.onEnd();
    assertFalse(sender.onCloseAck());
    sender.onDrained();
    assertTrue(sender.takeClose());
    assertFalse(sender.takeClose());
    assertTrue(sender.onCloseAck());
    assertTrue(sender.onCloseAck());
    assertEquals(SendFlowState.CLOSED, sender.state());
  }

  @Test
  void shouldBatchSmallElementsAndCutLongOnes() {
    StreamSender sender = new StreamSender();
    ArrayDeque<byte[]> supply =
        new ArrayDeque<>(List.of(new byte[3], new byte[0], new byte[4], new byte[100]));
    StreamSegment segment = new StreamSegment();

    segment.start(50);
    assertTrue(sender.fill(supply::poll, segment));
    assertEquals(4, segment.count());
    assertEquals(42, segment.contentLength());
    assertTrue(segment.isUnfinished());
    segment.start(50);
    assertTrue(sender.fill(supply::poll, segment));
    assertEquals(48, segment.contentLength());
    assertEquals(3, segment.element());
    assertTrue(segment.isContinued() && segment.isUnfinished());
    segment.start(50);
    assertTrue(sender.fill(supply::poll, segment));
    assertEquals(17, segment.contentLength());
    assertTrue(segment.isContinued());
    assertFalse(segment.isUnfinished());
    assertFalse(sender.fill(supply::poll, segment));
  }
}
