package io.millrace.samples.cli;

import io.millrace.actor.body.BodySource;
import io.millrace.api.Transport;
import io.millrace.api.UnaryResponse;
import io.millrace.api.WorkerCall;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.wire.Route;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;

/** The routes of a serving node. */
final class ServedRoutes {
  /** Answers with the payload, on the worker. */
  static final Route ECHO = Route.of("echo");

  /** Answers with headers and payload, on the executor. */
  static final Route ECHO_EXECUTOR = Route.of("echo-executor");

  /** Answers with nothing, on the worker. */
  static final Route SINK = Route.of("sink");

  /** Answers with as many bytes as the payload, a big-endian int, says, on the worker. */
  static final Route SOURCE = Route.of("source");

  /** Takes bulk of which it looks at samples. */
  static final Route BULK_SINK = Route.of("bulk-sink");

  /** Gives as much bulk as the headers, a big-endian long, say. */
  static final Route BULK_SOURCE = Route.of("bulk-source");

  private ServedRoutes() {}

  static void serve(Transport transport) {
    transport.serveOnWorker(
        ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    transport.serve(
        ECHO_EXECUTOR,
        call ->
            CompletableFuture.completedFuture(new UnaryResponse(call.headers(), call.payload())));
    transport.serveOnWorker(SINK, call -> call.reply(0, 0));
    transport.serveOnWorker(SOURCE, ServedRoutes::source);
    transport.serveBulkWrites(
        BULK_SINK, offer -> CompletableFuture.completedFuture(RepeatedBlock.sampled()));
    transport.serveBulkReads(BULK_SOURCE, ServedRoutes::bulkSource);
    ServedStreams.serve(transport);
  }

  private static CompletionStage<BodySource> bulkSource(BulkOffer offer) {
    if (offer.headers().length != Long.BYTES) {
      throw new IllegalArgumentException("bulk-source wants the number of bytes as a long");
    }
    long length = ByteBuffer.wrap(offer.headers()).getLong();
    if (length < 0) {
      throw new IllegalArgumentException("bulk-source cannot give " + length + " bytes");
    }
    return CompletableFuture.completedFuture(RepeatedBlock.source(length));
  }

  private static void source(WorkerCall call) {
    if (call.payloadLength() != Integer.BYTES) {
      throw new IllegalArgumentException("source wants the number of bytes as an int");
    }
    int length = call.buffer().getInt(call.payloadOffset(), ByteOrder.BIG_ENDIAN);
    if (length < 0) {
      throw new IllegalArgumentException("source cannot answer with " + length + " bytes");
    }
    MutableDirectBuffer answer = call.reply(0, length);
    for (int i = 0; i < length; i++) {
      answer.putByte(i, (byte) i);
    }
  }
}
