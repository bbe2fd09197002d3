package io.millrace.protocol.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.transfer.InlineCost;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of a flow and a network that loses, doubles and swaps every frame between the ends, by
 * a seed. The lab offers lost frames again until their arrival, as a path does.
 */
final class FlowLab {
  static final StreamWindow WINDOW = new StreamWindow(32, 20_000, 50_000, 50_000);
  private static final int LONGEST = 40_000;
  private static final int CANCELLED = 11;

  /** The kinds of ends of the flow. */
  enum Ending {
    NORMALLY,
    SENDER_FAILS,
    RECEIVER_CANCELS,
    SEGMENT_LOST
  }

  private final Random random;
  private final Ending ending;
  private final int elements;
  private final ArrayDeque<byte[]> supply = new ArrayDeque<>();
  private final ArrayDeque<byte[]> inbox = new ArrayDeque<>();
  private final List<Runnable> network = new ArrayList<>();
  final TestMemory memory = new TestMemory();
  final StreamSender sender = new StreamSender();
  final StreamReceiver receiver = new StreamReceiver(WINDOW, memory, inbox::add);
  private int offered;
  private int taken;
  private long takenBytes;
  private boolean ended;
  private boolean closeArrived;
  private boolean cancelled;
  private boolean hasLost;
  private boolean isLossTold;
  private boolean wasLostAfterClose;
  private int steps;

  FlowLab(long seed, Ending ending) {
    random = new Random(seed);
    this.ending = ending;
    elements = random.nextInt(400);
  }

  /** Runs until both ends are closed. */
  void run() {
    while (sender.state() != SendFlowState.CLOSED || receiver.state() != ReceiveFlowState.CLOSED) {
      assertTrue(steps++ < 200_000, "the flow does not end: " + this);
      produce();
      send();
      deliver();
      consume();
    }
    while (ending == Ending.NORMALLY && !inbox.isEmpty()) {
      consume();
    }
    while (!inbox.isEmpty()) {
      takeNext();
    }
    assertEquals(0, memory.usedBytes, "bytes are still set aside");
    assertEquals(0, memory.assemblyBytes, "bytes are still set aside beyond the window");
    assertEquals(sender.costBytes(), receiver.accountedCost() + receiver.takeUnaccounted());
    if (ending == Ending.NORMALLY) {
      assertEquals(elements, taken);
    }
  }

  /** Whether the flow had been closed as whole before a segment was given up. */
  boolean wasLostAfterClose() {
    return wasLostAfterClose;
  }

  private void produce() {
    boolean isStopped = sender.state() != SendFlowState.OPEN;
    if (!isStopped && offered < elements && offered < sender.limitElements()) {
      supply.add(element(offered++));
    }
    boolean isEnough = offered == elements;
    if (!ended && ending == Ending.SENDER_FAILS && (isEnough || random.nextInt(200) == 0)) {
      ended = true;
      sender.onFail(1, "failed");
    } else if (!ended && isEnough) {
      ended = true;
      sender.onEnd();
    }
  }

  private static byte[] element(int number) {
    byte[] bytes = new byte[number % 37 == 36 ? LONGEST : number * 131 % 700];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (number + i * 3);
    }
    return bytes;
  }

  private void send() {
    StreamSegment segment = new StreamSegment();
    segment.start(200 + random.nextInt(2_000));
    if (sender.fill(supply::poll, segment)) {
      sender.onSegmentSent(InlineCost.of(0, segment.contentLength()));
      if (ending == Ending.SEGMENT_LOST && random.nextInt(ended ? 3 : 200) == 0) {
        hasLost = true;
      } else {
        network.add(() -> arrive(segment));
      }
    }
    if (hasLost && !isLossTold && random.nextInt(300) == 0) {
      isLossTold = true;
      wasLostAfterClose = sender.state() == SendFlowState.CLOSE_SENT;
      sender.onSegmentLost(2, "lost");
    }
    if (ended && supply.isEmpty()) {
      sender.onDrained();
    }
    if (sender.takeClose()) {
      boolean isOk = sender.closeStatus() == 0;
      long segments = sender.segments();
      long cost = sender.costBytes();
      network.add(() -> close(isOk, segments, cost));
    }
  }

  private void deliver() {
    if (!network.isEmpty() && random.nextInt(3) > 0) {
      int which = random.nextInt(Math.min(network.size(), 8));
      if (random.nextInt(4) > 0) {
        network.get(which).run();
        if (random.nextInt(5) > 0) {
          network.remove(which);
        }
      }
    }
  }

  private void arrive(StreamSegment segment) {
    SegmentBuffer buffer = new SegmentBuffer(new byte[5_000]);
    segment.encodeLengths(buffer, 10);
    segment.encodeElements(buffer, 1_000);
    SegmentPlace place = new SegmentPlace();
    place.set(buffer, 10, StreamSegment.LENGTH_BYTES, segment.count());
    place.elements(1_000, segment.contentLength());
    int flags =
        (segment.isContinued() ? StreamReceiver.CONTINUED : 0)
            | (segment.isUnfinished() ? StreamReceiver.UNFINISHED : 0);
    SegmentVerdict verdict =
        receiver.onSegment(segment.number(), segment.element(), flags, buffer, place);
    assertNotEquals(SegmentVerdict.VIOLATION, verdict);
    assertNotEquals(SegmentVerdict.TOO_LARGE, verdict);
    assertTrue(inbox.size() <= WINDOW.elements(), inbox.size() + " elements wait");
    long waiting = inbox.stream().mapToLong(each -> each.length).sum();
    assertTrue(waiting <= WINDOW.bytes() + 2_200 + LONGEST, waiting + " bytes wait");
    tellCredit();
    acknowledge();
  }

  private void close(boolean isOk, long segments, long cost) {
    assertNotEquals(SegmentVerdict.VIOLATION, receiver.onClose(isOk, segments, cost));
    closeArrived = true;
    acknowledge();
  }

  private void acknowledge() {
    if (closeArrived && receiver.state() == ReceiveFlowState.CLOSED) {
      network.add(() -> assertTrue(sender.onCloseAck()));
    }
  }

  private byte @Nullable [] takeNext() {
    byte[] next = inbox.poll();
    if (next != null) {
      memory.giveBack(ElementMemory.cost(1, next.length));
    }
    return next;
  }

  private void consume() {
    byte[] next = random.nextInt(3) == 0 ? takeNext() : null;
    if (next != null && !cancelled) {
      assertArrayEquals(element(taken), next, "element " + taken);
      taken++;
      takenBytes += next.length;
      receiver.onConsumed(taken, takenBytes);
      tellCredit();
    }
    if (ending == Ending.RECEIVER_CANCELS && !cancelled && taken >= elements / 2) {
      cancelled = true;
      if (receiver.onCancel()) {
        network.add(() -> sender.onCancel(CANCELLED));
      }
      acknowledge();
    }
  }

  private void tellCredit() {
    if (receiver.isCreditDue()) {
      receiver.announce();
      long most = receiver.announcedElements();
      long bytes = receiver.announcedBytes();
      network.add(() -> sender.onCredit(most, bytes));
    }
  }

  @Override
  public String toString() {
    return ending + " " + sender.state() + " " + receiver.state() + " " + taken + "/" + elements;
  }
}
