package io.millrace.path.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.crypto.AesKeySize;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.packet.PathTerms;
import io.millrace.protocol.congestion.ReceiveBudget;
import io.millrace.wire.FrameStart;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CallStatus;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.InlineResponseDecoder;
import io.millrace.wire.codec.RequestRegionsDecoder;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Requests with grants for their answers, from a caller that bounds all bytes; rule C-10. */
class AnswerGrantsTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final long MS_NS = 1_000_000;
  private static final int MS_US = 1_000;
  private static final int ANSWER_BYTES = 800;
  private static final int COST = ANSWER_BYTES + 64;
  private static final int BASE_BYTES = 192;
  private static final int FLAGS = FrameStart.LENGTH + InlineResponseDecoder.flagsEncodingOffset();

  private final WorkerLab lab =
      new WorkerLab(new FakeEndpoint(16, 64), new ReceiveBudget(12_500_000, 64 << 10));
  private final FarSide far = new FarSide(1, false);

  /** The terms of a path to a peer whose limits have a lifetime. */
  private static PathTerms terms() {
    PathTerms usual = WorkerLab.terms(1, true, WorkerLab.WINDOW_BYTES);
    return new PathTerms(
        usual.peer(),
        usual.secret(),
        usual.initiator(),
        usual.workers(),
        usual.rails(),
        BASE_BYTES,
        usual.receiveWindow(),
        new PathTerms.Agreement(100, usual.maxDatagramBytes(), AesKeySize.AES_128, 1_024, 20, 0),
        usual.handshake());
  }

  private static byte[] request(int grantedBytes, int withinUs, long delayUs) {
    SegmentBuffer frame = new SegmentBuffer(new byte[64]);
    InlineRequestEncoder encoder = new InlineRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(TransferIds.of(0)).route(ROUTE.id()).priority((short) 3).pattern((short) 0);
    encoder.answerBytes(grantedBytes).answerWithinUs(withinUs).answerDelayUs(delayUs);
    encoder.putHeaders(new byte[0], 0, 0).putPayload(new byte[0], 0, 0);
    return FarSide.framed(
        frame,
        encoder.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  private void serve(byte[] request) throws Exception {
    SegmentBuffer answer = new SegmentBuffer(new byte[ANSWER_BYTES]);
    lab.routes.add(ROUTE, call -> call.reply(answer, 0, ANSWER_BYTES));
    lab.open(lab.link(1), terms());
    lab.endpoint.arrivals.add(far.packet(request));
    lab.turns(1, MS_NS);
  }

  private byte[] sent(int template) {
    return lab.endpoint.sent.stream()
        .map(datagram -> far.frame(datagram, template))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(new byte[0]);
  }

  private boolean isAnswered() {
    return sent(InlineResponseDecoder.TEMPLATE_ID).length > 0;
  }

  private boolean isMemoryWanted() {
    return sent(RequestRegionsDecoder.TEMPLATE_ID).length > 0;
  }

  @Test
  void shouldSendAnAnswerAtTheTimeOfItsGrant() throws Exception {
    serve(request(COST, 2 * MS_US, 5 * MS_US));
    lab.turns(3, MS_NS);
    assertTrue(!isAnswered() && !isMemoryWanted());
    lab.turns(3, MS_NS);
    assertEquals(1, sent(InlineResponseDecoder.TEMPLATE_ID)[FLAGS]);
  }

  @Test
  void shouldAskForMemoryForAnAnswerThatIsLongerThanItsGrant() throws Exception {
    serve(request(COST - 1, 2 * MS_US, 5 * MS_US));
    assertTrue(!isAnswered() && isMemoryWanted());
  }

  @Test
  void shouldIgnoreAGrantForATimeFarAway() throws Exception {
    serve(request(COST, 2 * MS_US, 5_000L * MS_US));
    assertTrue(!isAnswered() && isMemoryWanted());
  }

  @Test
  void shouldTakeNoAnswerByAGrantThatItsRequestDidNotHave() throws Exception {
    PeerLink link = lab.link(1);
    PeerPath path = lab.open(link, 1, true);
    link.onCall(new TestCall(link, ROUTE.id(), 8), lab.nowNs);
    lab.turns(1, MS_NS);
    byte[] answer =
        FarSide.response(TransferIds.of(0), CallStatus.OK.value(), new byte[ANSWER_BYTES]);
    answer[FLAGS] = 1;
    lab.endpoint.arrivals.add(far.packet(answer));
    lab.turns(1, MS_NS);
    assertEquals(1, lab.services.context().counters().protocolViolations);
    assertTrue(path.packets().isEnded());
  }
}
