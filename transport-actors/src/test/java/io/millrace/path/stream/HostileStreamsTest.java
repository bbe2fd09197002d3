package io.millrace.path.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AeadProviders;
import io.millrace.ends.StreamEnd;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerLink;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.TransferIds;
import io.millrace.path.peer.WorkerLab;
import io.millrace.path.peer.WriteFrames;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.protocol.stream.StreamReceiver;
import io.millrace.protocol.transfer.InlineCost;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.RouteId;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.CallStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A peer with a real path opens many streams and makes this node keep as much as possible. The peer
 * sends unfinished elements, elements without a reader, elements ahead of their turn, and repeated
 * closes.
 */
class HostileStreamsTest {
  private static final RouteId TAKE = RouteId.of("take");
  private static final int STREAMS = 64;
  private static final int SEGMENT = 8_000;
  private static final int SEGMENTS = 25;
  private static final int BUDGET = 512 << 10;
  private static final int ASSEMBLY = 1 << 20;
  private static final long STEP_NS = 100_000;
  private static final String SETTINGS =
      """
      millrace.streams { window-bytes = 16 KiB, budget = 512 KiB }
      millrace.transfers { message = 256 KiB, assembly = 1 MiB }
      """;

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(64, 64), SETTINGS, AeadProviders.discover().select(0));
  private final FarSide far = new FarSide(1, false);
  private final List<StreamOffer> offers = new ArrayList<>();
  private final PeerLink link = lab.link(1);
  private PeerPath path;

  @BeforeEach
  void open() throws Exception {
    lab.routes.add(TAKE, StreamPattern.BIDIRECTIONAL, offers::add);
    path = lab.open(link, 1, true);
  }

  private void arrive(byte[] frame) {
    lab.endpoint.arrivals.add(far.packet(frame));
    lab.turns(1, STEP_NS);
    lab.endpoint.sent.clear();
  }

  private static long id(int slot) {
    return TransferIds.of(slot);
  }

  private static void takeOne(StreamOffer offer) {
    byte[] element = offer.stream().inlet().poll();
    assertNotNull(element);
    assertEquals(SEGMENT, element.length);
  }

  private void openStreams() {
    for (int slot = 0; slot < STREAMS; slot++) {
      arrive(FlowFrames.opening(id(slot), TAKE.id(), StreamPattern.BIDIRECTIONAL));
    }
    assertEquals(STREAMS, offers.size());
  }

  private List<StreamOffer> alive() {
    return offers.stream().filter(offer -> offer.stream().inlet().end() == null).toList();
  }

  private void assertWithinBudgets() {
    assertTrue(lab.services.elements().waiting().usedBytes() <= BUDGET);
    assertTrue(lab.services.context().bodies().assembly().usedBytes() <= ASSEMBLY);
    assertFalse(path.packets().isEnded(), lab.events.lines().toString());
    assertTrue(lab.faults.isEmpty(), lab.faults.toString());
  }

  private void assertNothingIsHeld() {
    assertEquals(path.packets().isEnded() ? 0 : 1, lab.services.elements().shares());
    assertEquals(0, lab.services.elements().waiting().usedBytes());
    assertEquals(0, lab.services.context().bodies().assembly().usedBytes());
  }

  private void assertSomeWereRefused() {
    for (StreamOffer offer : offers) {
      StreamEnd end = offer.stream().inlet().end();
      assertTrue(end == null || end.outcome() == CallOutcome.OVERLOADED, () -> "" + end);
    }
    assertTrue(alive().size() > 0, "all were refused");
    assertTrue(alive().size() < STREAMS, "none was refused");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHoldNoMoreOfUnfinishedElementsThanItsBudgets(boolean isPathClosed) {
    openStreams();
    for (int segment = 0; segment < SEGMENTS; segment++) {
      for (int slot = 0; slot < STREAMS; slot++) {
        int flags = StreamReceiver.UNFINISHED | (segment == 0 ? 0 : StreamReceiver.CONTINUED);
        arrive(FlowFrames.data(id(slot), segment, 0, flags, SEGMENT));
        assertWithinBudgets();
      }
    }
    assertSomeWereRefused();
    assertTrue((long) alive().size() * SEGMENTS * SEGMENT <= BUDGET + ASSEMBLY);
    if (isPathClosed) {
      arrive(FarSide.close());
    } else {
      failAll(SEGMENTS);
    }
    assertNothingIsHeld();
  }

  private void failAll(int segments) {
    long cost = (long) segments * InlineCost.of(0, SEGMENT);
    for (int slot = 0; slot < STREAMS; slot++) {
      arrive(FlowFrames.close(id(slot), CallStatus.SOURCE_FAILED.value(), 0, cost));
    }
    assertFalse(path.packets().isEnded(), lab.events.lines().toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldHoldNoMoreOfWhatNobodyTakesThanItsBudget(boolean isCancelled) {
    openStreams();
    for (int element = 0; element < 2; element++) {
      for (int slot = 0; slot < STREAMS; slot++) {
        arrive(FlowFrames.data(id(slot), element, element, 0, SEGMENT));
        assertWithinBudgets();
      }
    }
    assertSomeWereRefused();
    StreamOffer taken = alive().getFirst();
    long before = lab.services.elements().waiting().usedBytes();
    takeOne(taken);
    takeOne(taken);
    assertTrue(lab.services.elements().waiting().usedBytes() <= before - 2 * SEGMENT);
    if (isCancelled) {
      alive().forEach(offer -> offer.stream().inlet().cancel());
    } else {
      failAll(2);
    }
    assertNothingIsHeld();
  }

  @Test
  void shouldCountWhatASegmentTakesThatHasNoBytes() {
    openStreams();
    int refused = 0;
    for (int segment = 2; segment < 200; segment++) {
      for (int slot = 0; slot < STREAMS; slot++) {
        arrive(FlowFrames.data(id(slot), segment, 1, 0, 0));
        assertWithinBudgets();
      }
      refused = STREAMS - alive().size();
    }
    assertTrue(refused > 0, "12,000 copies of segments are kept");
    arrive(FarSide.close());
    assertNothingIsHeld();
  }

  @Test
  void shouldTakeElementsAgainOnceOthersWereTaken() {
    openStreams();
    for (int slot = 0; slot < STREAMS; slot++) {
      for (int element = 0; element < 10; element++) {
        arrive(FlowFrames.data(id(slot), element, element, 0, SEGMENT));
        takeOne(offers.get(slot));
        if (element % 2 == 1) {
          lab.turns(1, STEP_NS);
        }
      }
    }
    assertEquals(STREAMS, alive().size());
    assertNothingIsHeld();
  }

  @Test
  void shouldKeepOneAcknowledgementOfACloseThatIsSaidAgainAndAgain() {
    for (int i = 0; i < 500; i++) {
      arrive(FlowFrames.responseClose(id(1)));
    }
    assertEquals(1, path.streams().closeAcks().size());
    assertEquals(1, path.streams().frames().size());
  }

  @Test
  void shouldNotTakeClosesOfStreamsThatNeverWereOnceTooManyWait() {
    int most = CloseAcks.MOST_REPEATED;
    for (int slot = 0; slot < 3 * most; slot++) {
      arrive(FlowFrames.responseClose(id(slot)));
    }
    assertEquals(most, path.streams().closeAcks().size());
    assertEquals(most, path.streams().frames().size());
    assertTrue(path.packets().frames().size() <= most);
    assertFalse(path.packets().isEnded(), lab.events.lines().toString());
  }

  /** An executor would put such a body together, and end the stream beside the worker. */
  @Test
  void shouldEndThePathOfAPeerThatAnswersAStreamWithABody() {
    StreamCall stream =
        new StreamCall(
            link,
            lab.handle(link).port(),
            StreamPattern.BIDIRECTIONAL,
            new StreamCall.Opening(TAKE.id(), 3, new byte[0], new byte[0]),
            lab.services.context().settings());
    link.onCall(stream, lab.nowNs);
    lab.turn();
    WriteFrames.Body body = WriteFrames.Body.of(stream.transferId(), 0, 0);
    arrive(WriteFrames.notify(body, WriteFlags.RESPONSE | WriteFlags.END));
    StreamEnd end = stream.ends().inlet().end();
    assertNotNull(end);
    assertTrue(end.text().endsWith("the peer answered a stream with a body"), end.text());
    assertTrue(path.packets().isEnded());
  }

  @Test
  void shouldKeepOneAcknowledgementForASlotThatIsUsedAgainAndAgain() {
    for (int generation = 1; generation <= 300; generation++) {
      long id = TransferId.of(0, generation, 1);
      arrive(FlowFrames.opening(id, TAKE.id(), StreamPattern.BIDIRECTIONAL));
      offers.getLast().stream().outlet().end();
      arrive(FlowFrames.close(id, CallStatus.OK.value(), 0, 0));
      lab.turns(2, STEP_NS);
      arrive(FlowFrames.responseCloseAck(id));
      assertEquals(1, path.streams().closeAcks().size());
    }
    assertEquals(300, offers.size());
    assertFalse(path.packets().isEnded(), lab.events.lines().toString());
  }
}
