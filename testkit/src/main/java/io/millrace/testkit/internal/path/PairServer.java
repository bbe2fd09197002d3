package io.millrace.testkit.internal.path;

import io.millrace.engine.Routes;
import io.millrace.memory.SegmentBuffer;
import io.millrace.path.call.InboundCall;
import io.millrace.protocol.stream.StreamPattern;
import io.millrace.transfer.BodyTarget;
import io.millrace.wire.RouteId;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The routes that one side of a pair serves. */
final class PairServer {
  private final Routes routes = new Routes();

  Routes routes() {
    return routes;
  }

  void serve(String route, UnaryOperator<byte[]> handler) {
    routes.add(RouteId.of(route), call -> answer(call, handler));
  }

  private static void answer(InboundCall call, UnaryOperator<byte[]> handler) {
    byte[] request = new byte[call.payloadLength()];
    call.buffer().getBytes(call.payloadOffset(), request);
    byte[] response;
    try {
      response = handler.apply(request);
    } catch (RuntimeException e) {
      call.refuse(String.valueOf(e.getMessage()));
      return;
    }
    call.reply(new SegmentBuffer(response), 0, response.length);
  }

  void serveWrites(String route, Consumer<byte[]> receiver) {
    routes.add(
        RouteId.of(route),
        (caller, priority, headers, bytes) ->
            CompletableFuture.<BodyTarget>completedStage(new Received(receiver)));
  }

  void serveStreams(String route, UnaryOperator<byte[]> handler, Consumer<PumpedStream> opened) {
    routes.add(
        RouteId.of(route),
        StreamPattern.BIDIRECTIONAL,
        offer -> opened.accept(PumpedStream.served(offer.stream(), handler)));
  }

  /** The bytes of one bulk write, which the receiver gets as a whole. */
  private static final class Received implements BodyTarget {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Consumer<byte[]> receiver;

    private Received(Consumer<byte[]> receiver) {
      this.receiver = receiver;
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      bytes.write(from, offset, length);
    }

    @Override
    public void complete() {
      receiver.accept(bytes.toByteArray());
    }

    @Override
    public void abort(Throwable cause) {
      bytes.reset();
    }
  }
}
