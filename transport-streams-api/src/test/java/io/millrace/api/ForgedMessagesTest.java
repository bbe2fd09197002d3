package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.event.DropReason;
import io.millrace.memory.SegmentBuffer;
import io.millrace.protocol.transfer.TransferId;
import io.millrace.wire.FrameStart;
import io.millrace.wire.PacketHeader;
import io.millrace.wire.RouteId;
import io.millrace.wire.codec.CloseReason;
import io.millrace.wire.codec.DrainEncoder;
import io.millrace.wire.codec.FlowResetEncoder;
import io.millrace.wire.codec.PathCloseEncoder;
import io.millrace.wire.codec.ResetReason;
import io.millrace.wire.codec.StreamCloseAckEncoder;
import io.millrace.wire.codec.StreamCloseEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An attacker who sees the wire forges messages to end transfers and paths, with the clear header
 * of a live path, at both ends of the path. The node drops and counts each forged message; a stream
 * and the calls beside the stream are not affected.
 */
@Timeout(120)
class ForgedMessagesTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId MIRROR = RouteId.of("mirror");
  private static final int PER_SECOND_AND_END = 10_000;
  private static final int FORGED_AT_EACH_END = 10_000;
  private static final int ELEMENTS = 2_000;
  private static final int SLOTS = 16;
  private static final int SPACE_BYTES = 64;

  private final DropEvents atServer = new DropEvents();
  private final DropEvents atClient = new DropEvents();
  private final Random random = new Random(3);

  @Test
  void shouldChangeNothing() throws Exception {
    try (TwoNodes nodes =
        new TwoNodes(
            "",
            b -> b.events(atServer, DropEvents.OPTIONS),
            b -> b.events(atClient, DropEvents.OPTIONS))) {
      Raw.serveOnWorker(
          nodes.server,
          ECHO,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      Raw.serveBidirectional(
          nodes.server, MIRROR, call -> Raw.StreamingResponse.of(call.elements()));
      call(nodes, 0);
      List<byte[]> datagrams = datagrams(atServer.firstPathId());
      FutureTask<DatagramFlood.Sent> toServer = forge(nodes.server, datagrams);
      FutureTask<DatagramFlood.Sent> toClient = forge(nodes.client, datagrams);
      int calls = 1;
      int streams = 0;
      while (!toServer.isDone() || !toClient.isDone()) {
        mirror(nodes);
        call(nodes, calls++);
        streams++;
      }
      System.out.printf(
          "%d and %d forged messages/s at the ends of a path, %d streams and %d calls meanwhile%n",
          toServer.get().perSecond(), toClient.get().perSecond(), streams, calls);
      mirror(nodes);
      assertTrue(
          nodes.awaitUntil(
              () ->
                  atServer.count(DropReason.NOT_AUTHENTIC) > 0
                      && atClient.count(DropReason.NOT_AUTHENTIC) > 0),
          "no forged message arrived");
      assertNothingHappened(atServer, nodes.server);
      assertNothingHappened(atClient, nodes.client);
    }
  }

  private static FutureTask<DatagramFlood.Sent> forge(Transport at, List<byte[]> datagrams) {
    FutureTask<DatagramFlood.Sent> sending =
        new FutureTask<>(
            new DatagramFlood(
                HostilePackets.workerAddress(at),
                datagrams,
                PER_SECOND_AND_END,
                FORGED_AT_EACH_END));
    new Thread(sending, "forger").start();
    return sending;
  }

  /**
   * Returns the forged messages, which would do harm if a node accepted a message. Add further
   * harmful messages here.
   */
  private List<byte[]> datagrams(long pathId) {
    List<byte[]> bodies = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      long id = TransferId.of(0, 1, slot);
      for (int flags = 0; flags < 4; flags++) {
        bodies.add(reset(id, flags));
        bodies.add(streamClose(id, flags));
      }
      bodies.add(streamCloseAck(id));
    }
    bodies.add(pathClose());
    bodies.add(drain());
    List<byte[]> datagrams = new ArrayList<>();
    for (byte[] body : bodies) {
      // A number beyond all used numbers of the path, so only the tag is wrong.
      long packetNumber = (1L << 40) + datagrams.size();
      byte[] forged = HostilePackets.forged(random, pathId, 0, packetNumber, body);
      datagrams.add(forged);
      datagrams.add(retirement(forged, PacketHeader.OF_CONTROL_KEYS));
      datagrams.add(retirement(forged, PacketHeader.OF_DATA_KEYS));
      datagrams.add(unknown(pathId));
    }
    return datagrams;
  }

  private static byte[] retirement(byte[] forged, byte keys) {
    byte[] datagram = forged.clone();
    datagram[0] = PacketHeader.FORM_RETIREMENT;
    datagram[1] = keys;
    return datagram;
  }

  /** Returns UNKNOWN_PATH_SECRET, with an arbitrary token. */
  private byte[] unknown(long pathId) {
    byte[] datagram = new byte[PacketHeader.UNKNOWN_LENGTH];
    PacketHeader.encodeUnknown(
        new SegmentBuffer(datagram), 0, pathId, random.nextLong(), random.nextLong());
    return datagram;
  }

  private static byte[] reset(long id, int flags) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    FlowResetEncoder encoder = new FlowResetEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(id).flags((short) flags).reason(ResetReason.CANCELLED);
    encoder.putText(new byte[0], 0, 0);
    return framed(
        frame, encoder.limit(), FlowResetEncoder.BLOCK_LENGTH, FlowResetEncoder.TEMPLATE_ID);
  }

  private static byte[] streamClose(long id, int flags) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    StreamCloseEncoder encoder = new StreamCloseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(id).flags((short) flags).putText(new byte[0], 0, 0);
    return framed(
        frame, encoder.limit(), StreamCloseEncoder.BLOCK_LENGTH, StreamCloseEncoder.TEMPLATE_ID);
  }

  private static byte[] streamCloseAck(long id) {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    StreamCloseAckEncoder encoder = new StreamCloseAckEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.transferId(id).flags((short) 1);
    return framed(
        frame,
        encoder.limit(),
        StreamCloseAckEncoder.BLOCK_LENGTH,
        StreamCloseAckEncoder.TEMPLATE_ID);
  }

  private static byte[] pathClose() {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    PathCloseEncoder encoder = new PathCloseEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.reason(CloseReason.SHUTDOWN).putText(new byte[0], 0, 0);
    return framed(
        frame, encoder.limit(), PathCloseEncoder.BLOCK_LENGTH, PathCloseEncoder.TEMPLATE_ID);
  }

  private static byte[] drain() {
    SegmentBuffer frame = new SegmentBuffer(new byte[SPACE_BYTES]);
    DrainEncoder encoder = new DrainEncoder().wrap(frame, FrameStart.LENGTH);
    encoder.flags((short) 3);
    return framed(frame, encoder.limit(), DrainEncoder.BLOCK_LENGTH, DrainEncoder.TEMPLATE_ID);
  }

  private static byte[] framed(SegmentBuffer frame, int end, int block, int template) {
    FrameStart.encode(frame, 0, end, block, template);
    byte[] bytes = new byte[end];
    frame.getBytes(0, bytes);
    return bytes;
  }

  private static void call(TwoNodes nodes, int number) throws Exception {
    byte[] payload = StreamChecks.element(number % ELEMENTS);
    CompletableFuture<UnaryResponse> call = Raw.unary(nodes.peer(), ECHO, payload);
    assertArrayEquals(payload, call.get(60, TimeUnit.SECONDS).payload());
  }

  private static void mirror(TwoNodes nodes) throws Exception {
    CompletionStage<List<byte[]>> mirrored =
        Source.range(0, ELEMENTS - 1)
            .map(StreamChecks::element)
            .via(Raw.bidirectional(nodes.peer(), MIRROR, TransferOptions.DEFAULTS))
            .runWith(Sink.seq(), StreamChecks.materializer(nodes.client));
    List<byte[]> elements = mirrored.toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertEquals(ELEMENTS, elements.size());
    for (int i = 0; i < ELEMENTS; i++) {
      assertArrayEquals(StreamChecks.element(i), elements.get(i));
    }
  }

  private static void assertNothingHappened(DropEvents events, Transport node) {
    WorkerSnapshot worker = node.snapshot().workers().getFirst();
    long dropped = events.count(DropReason.NOT_AUTHENTIC);
    assertEquals(List.of(), events.troubles());
    assertEquals(0, worker.transfers().callsFailed());
    assertTrue(dropped <= FORGED_AT_EACH_END, () -> dropped + " are more than were forged");
  }
}
