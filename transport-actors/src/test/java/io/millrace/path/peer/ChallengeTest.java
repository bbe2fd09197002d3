package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ends.PathCounters;
import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.recovery.ReceivedPackets;
import io.millrace.protocol.replay.ChallengePhase;
import io.millrace.protocol.replay.TransferChallenges;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.transfer.CallOutcome;
import io.millrace.wire.FrameStart;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.FlowResetDecoder;
import io.millrace.wire.codec.InlineRequestDecoder;
import io.millrace.wire.codec.TransferChallengeDecoder;
import io.millrace.wire.codec.TransferChallengeResponseDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Openings of transfers in captured packets, and the reactions of both sides: rules RP-1 to RP-7.
 */
class ChallengeTest {
  private static final RouteId ROUTE = RouteId.of("echo");
  private static final long STEP_NS = 2_000_000;
  private static final long ID = TransferIds.of(0);

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final FarSide far = new FarSide(1, false);
  private final PathCounters counters = lab.services.context().counters();
  private final PeerLink link = lab.link(1);
  private PeerPath path;
  private int handled;

  @BeforeEach
  void open() throws Exception {
    lab.routes.add(
        ROUTE,
        call -> {
          handled++;
          call.reply(new SegmentBuffer(new byte[4]), 0, 4);
        });
    path = lab.open(link, 1, true);
  }

  private static byte[] request(long transferId) {
    return FarSide.request(transferId, ROUTE.id(), new byte[10]);
  }

  /** Receives so many packets that the window moves past the captured packet. */
  private void passWindow() {
    far.skip(ReceivedPackets.WINDOW + 10);
    arrive(far.packet(FarSide.probe()));
    lab.endpoint.sent.clear();
  }

  private void arrive(byte[] datagram) {
    lab.endpoint.arrivals.add(datagram);
    lab.turns(1, STEP_NS);
  }

  /** The frames with this template that the node sent meanwhile. */
  private List<byte[]> sent(int template) {
    List<byte[]> frames = new ArrayList<>();
    for (byte[] datagram : lab.endpoint.sent) {
      byte[] frame = far.frame(datagram, template);
      if (frame != null) {
        frames.add(frame);
      }
    }
    return frames;
  }

  private static TransferChallengeDecoder challenge(byte[] frame) {
    return new TransferChallengeDecoder()
        .wrap(
            new SegmentBuffer(frame), FrameStart.LENGTH, TransferChallengeDecoder.BLOCK_LENGTH, 0);
  }

  /** The receiver's question about a withheld packet that comes late. */
  private TransferChallengeDecoder provoke(byte[]... frames) {
    byte[] captured = far.packet(frames);
    passWindow();
    arrive(captured);
    List<byte[]> challenges = sent(TransferChallengeDecoder.TEMPLATE_ID);
    assertEquals(1, challenges.size());
    lab.endpoint.sent.clear();
    return challenge(challenges.getFirst());
  }

  private ChallengePhase phase(long transferId) {
    return path.calls().challenges().challenges().phase(transferId);
  }

  @Test
  void shouldServeALateTransferOnceItsSenderHasSaidThatItIsItsOwn() {
    TransferChallengeDecoder asked = provoke(request(ID));
    assertEquals(0, handled);
    assertEquals(ChallengePhase.CHALLENGED, phase(ID));
    TransferChallengeDecoder.TransfersDecoder transfers = asked.transfers();
    assertEquals(1, transfers.count());
    assertEquals(ID, transfers.next().transferId());

    arrive(far.packet(ChallengeFrames.response(asked.nonce(), ID), request(ID)));

    assertEquals(1, handled);
    assertEquals(1, counters.transfersChallenged);
    assertEquals(1, counters.challengesConfirmed);
    assertEquals(ChallengePhase.FREE, phase(ID));
  }

  @Test
  void shouldNotServeWhatItsSenderKnowsNothingOf() {
    byte[] captured = far.packet(request(ID));
    passWindow();
    for (int times = 1; times <= 3; times++) {
      arrive(captured);
      arrive(far.packet(ChallengeFrames.reset(ID), ChallengeFrames.reset(ID)));
      assertEquals(times, counters.challengesReset);
    }
    assertEquals(3, counters.transfersChallenged);
    assertEquals(0, handled);
    assertEquals(List.of(), sent(FlowResetDecoder.TEMPLATE_ID));
    assertEquals(0, path.calls().served().openCount());
    assertFalse(path.isOver());
  }

  @Test
  void shouldDropReplaysOfWhatItKnowsAtBothAges() {
    byte[] captured = far.packet(request(ID));
    arrive(captured);
    assertEquals(1, handled);
    arrive(captured);
    assertEquals(1, counters.duplicatesDropped);
    assertEquals(0, counters.latePacketsOpened);
    passWindow();
    arrive(captured);

    assertEquals(1, handled);
    assertEquals(2, counters.duplicatesDropped);
    assertEquals(2, lab.events.drops(DropReason.DUPLICATE));
    assertEquals(1, counters.latePacketsOpened);
    assertEquals(0, counters.transfersChallenged);
    assertEquals(List.of(), sent(TransferChallengeDecoder.TEMPLATE_ID));
  }

  @Test
  void shouldAskFromOnePastTheWindow() {
    byte[] last = far.packet(request(TransferIds.of(1)));
    byte[] first = far.packet(request(TransferIds.of(2)));
    far.skip(ReceivedPackets.WINDOW - 2);
    arrive(far.packet(FarSide.probe()));
    arrive(first);
    assertEquals(1, handled);
    assertEquals(0, counters.latePacketsOpened);
    arrive(last);
    assertEquals(1, handled);
    assertEquals(1, counters.transfersChallenged);
  }

  @Test
  void shouldAskOnceAboutAllThatOnePacketWouldOpen() {
    long[] ids = {TransferIds.of(1), TransferIds.of(2), TransferIds.of(3)};
    arrive(far.packet(request(ids[1])));
    byte[] notice = WriteFrames.notify(WriteFrames.Body.of(ids[2], ROUTE.id(), 10), 0);
    TransferChallengeDecoder asked = provoke(request(ids[0]), request(ids[1]), notice);
    TransferChallengeDecoder.TransfersDecoder transfers = asked.transfers();
    assertEquals(2, transfers.count());
    assertEquals(ids[0], transfers.next().transferId());
    assertEquals(ids[2], transfers.next().transferId());
  }

  @Test
  void shouldPassOverAnswersToWhatNobodyAsked() {
    TransferChallengeDecoder asked = provoke(request(ID));
    arrive(
        far.packet(
            ChallengeFrames.response(asked.nonce() + 1, ID),
            ChallengeFrames.response(asked.nonce(), TransferIds.of(5)),
            ChallengeFrames.reset(TransferIds.of(5))));
    assertEquals(0, counters.challengesConfirmed);
    assertEquals(0, counters.challengesReset);
    assertEquals(ChallengePhase.CHALLENGED, phase(ID));
    assertEquals(0, handled);
    assertFalse(path.isOver());
  }

  @Test
  void shouldTakeNothingElseFromAnOldPacket() {
    byte[] captured = far.packet(FarSide.probe(), request(ID), FarSide.close());
    byte[] forged = far.packet(request(TransferIds.of(1)));
    forged[forged.length - 1] ^= 1;
    passWindow();
    long received = counters.packetsReceived;
    arrive(captured);
    arrive(forged);
    assertFalse(path.isOver());
    assertEquals(received, counters.packetsReceived);
    assertEquals(1, counters.authenticationFailures);
    assertEquals(1, counters.transfersChallenged);
    assertEquals(0, handled);
  }

  @Test
  void shouldOpenFewOfAFloodOfOldPackets() {
    int flood = 1_000;
    List<byte[]> captured = new ArrayList<>();
    for (int i = 0; i < flood; i++) {
      captured.add(far.packet(request(TransferIds.of(i))));
    }
    passWindow();
    lab.endpoint.arrivals.addAll(captured);
    lab.turns(1 + flood / 64, 0);
    assertTrue(lab.endpoint.arrivals.isEmpty());
    assertEquals(TransferChallenges.MOST_OPENED_AT_ONCE, counters.latePacketsOpened);
    assertEquals(TransferChallenges.MOST, path.calls().challenges().challenges().outstanding());
    assertEquals(0, handled);
  }

  @Test
  void shouldAnswerForACallThatIsOpenAndSendItAgain() {
    TestCall call = new TestCall(link, ROUTE.id(), 8);
    link.onCall(call, lab.nowNs);
    lab.turns(1, 0);
    assertEquals(1, sent(InlineRequestDecoder.TEMPLATE_ID).size());
    lab.endpoint.sent.clear();

    lab.endpoint.arrivals.add(far.packet(ChallengeFrames.challenge(77, call.transferId())));
    lab.turns(2, 0);

    List<byte[]> answers = sent(TransferChallengeResponseDecoder.TEMPLATE_ID);
    assertEquals(1, answers.size());
    assertTrue(Arrays.equals(ChallengeFrames.response(77, call.transferId()), answers.getFirst()));
    assertEquals(1, sent(InlineRequestDecoder.TEMPLATE_ID).size());
    assertEquals(1, counters.challengesAnswered);
    assertEquals(1, counters.framesRetransmitted);
    assertNull(call.outcome);
  }

  @Test
  void shouldResetWhatItDoesNotKnowOrHasGivenUp() {
    TestCall call = new TestCall(link, ROUTE.id(), 8);
    link.onCall(call, lab.nowNs);
    lab.turns(1, 0);
    path.calls().cancel(call, CallOutcome.CANCELLED, "not wanted");
    lab.turns(1, 0);
    lab.endpoint.sent.clear();
    long unknown = TransferId.of(0, 9, 0);

    lab.endpoint.arrivals.add(
        far.packet(ChallengeFrames.challenge(77, call.transferId(), unknown)));
    lab.turns(2, 0);

    assertEquals(1, lab.endpoint.sent.size());
    byte[] answer = lab.endpoint.sent.getFirst();
    assertTrue(
        Arrays.equals(
            ChallengeFrames.reset(call.transferId()),
            far.frame(answer, FlowResetDecoder.TEMPLATE_ID)));
    assertEquals(
        2,
        far.templates(lab.endpoint.sent.getFirst()).stream()
            .filter(template -> template == FlowResetDecoder.TEMPLATE_ID)
            .count());
  }

  @Test
  void shouldBoundItsAnswers() {
    long[] ids = new long[254];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = TransferIds.of(i);
    }
    byte[] frame = ChallengeFrames.challenge(1, ids);
    arrive(far.packet(frame, frame, frame));
    assertEquals(64, counters.challengesAnswered);
    assertFalse(path.isOver());
  }
}
