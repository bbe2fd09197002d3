package io.millrace.path.call;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.memory.SegmentBuffer;
import io.millrace.path.peer.FakeEndpoint;
import io.millrace.path.peer.FarSide;
import io.millrace.path.peer.PeerPath;
import io.millrace.path.peer.WorkerLab;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.CausalPrefix;
import io.millrace.wire.FrameStart;
import io.millrace.wire.RouteId;
import io.millrace.wire.WriteFlags;
import io.millrace.wire.codec.FlowResetEncoder;
import io.millrace.wire.codec.InlineRequestEncoder;
import io.millrace.wire.codec.ResetReason;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request that waits for other requests, from a peer that contradicts itself. */
class HeldRequestTest {
  private static final RouteId ROUTE = RouteId.of("r");
  private static final int BYTES = 100;

  private final WorkerLab lab = new WorkerLab(new FakeEndpoint(16, 64));
  private final FarSide far = new FarSide(1, false);
  private final List<DeferredCall> taken = new ArrayList<>();
  private PeerPath path;

  @BeforeEach
  void open() throws Exception {
    path = lab.open(lab.link(1), 1, true);
    lab.routes.add(ROUTE, call -> taken.add(call.defer()));
  }

  private static long id(int slot, int generation) {
    return TransferId.of(0, generation, slot);
  }

  /** A request with number 2 that goes on after number 1, whatever the end of number 1. */
  private static byte[] following(long transferId) {
    byte[] headers = new byte[CausalPrefix.length(1)];
    CausalPrefix prefix = new CausalPrefix().start(headers, 1, 0, 0, 0).stamp(headers, 2, 1);
    prefix.putDependency(0, 1, /* isCascading= */ false);
    SegmentBuffer frame = new SegmentBuffer(new byte[128 + headers.length + BYTES]);
    InlineRequestEncoder encoder = new InlineRequestEncoder().wrap(frame, FrameStart.LENGTH);
    encoder
        .transferId(transferId)
        .route(ROUTE.id())
        .priority((short) 3)
        .pattern((short) CausalPrefix.FLAG)
        .putHeaders(headers, 0, headers.length)
        .putPayload(new byte[BYTES], 0, BYTES);
    return FarSide.framed(
        frame,
        encoder.limit(),
        InlineRequestEncoder.BLOCK_LENGTH,
        InlineRequestEncoder.TEMPLATE_ID);
  }

  /** Gives up a transfer, and declares that the transfer with another number will not come. */
  private static byte[] giveUp(long transferId, long number) {
    SegmentBuffer frame = new SegmentBuffer(new byte[128]);
    FlowResetEncoder encoder = new FlowResetEncoder().wrap(frame, FrameStart.LENGTH);
    encoder
        .transferId(transferId)
        .flags((short) WriteFlags.FROM_SENDER)
        .reason(ResetReason.CANCELLED)
        .costBytes(0)
        .number(number)
        .putText(new byte[0], 0, 0);
    return FarSide.framed(
        frame, encoder.limit(), FlowResetEncoder.BLOCK_LENGTH, FlowResetEncoder.TEMPLATE_ID);
  }

  private void arrive(byte[] frame) {
    lab.endpoint.arrivals.add(far.packet(frame));
    lab.turn();
  }

  private void assertNothingRuns() {
    assertEquals(List.of(), taken);
    assertEquals(0, path.calls().serving().executions().running());
    assertEquals(List.of(), lab.faults);
    assertEquals(List.of(), lab.ended);
  }

  /** The request becomes free to go and is given up at the same moment. */
  @Test
  void shouldNeverExecuteWhatIsGivenUpWithWhatItWaitedFor() {
    arrive(following(id(0, 1)));
    assertEquals(1, lab.services.context().counters().requestsHeld);
    arrive(giveUp(id(0, 1), 1));
    assertNothingRuns();
  }

  @Test
  void shouldNeverExecuteWhatLosesItsSlotWithWhatItWaitedFor() {
    arrive(following(id(0, 1)));
    arrive(giveUp(id(0, 2), 1));
    assertNothingRuns();
  }
}
