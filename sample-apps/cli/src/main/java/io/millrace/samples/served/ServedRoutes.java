package io.millrace.samples.served;

import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.WorkerCall;
import io.millrace.api.bulk.BulkOffer;
import io.millrace.transfer.BodySource;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.agrona.MutableDirectBuffer;
import org.apache.pekko.util.ByteString;

/** The routes of a serving node. */
public final class ServedRoutes {
  /** Answers with the payload, on the worker. */
  public static final Route<ByteString, ByteString> ECHO = Route.bytes("echo");

  /** Answers with headers and payload, on the executor. */
  public static final Route<ByteString, ByteString> ECHO_EXECUTOR = Route.bytes("echo-executor");

  /** Answers with nothing, on the worker. */
  public static final Route<?, ?> SINK = Route.bytes("sink");

  /** Answers with as many bytes as the payload, a big-endian int, says, on the worker. */
  public static final Route<?, ?> SOURCE = Route.bytes("source");

  /** Takes bulk and checks samples of the bytes. */
  public static final Route<ByteString, ByteString> BULK_SINK = Route.bytes("bulk-sink");

  /** Gives as much bulk as the header {@link #BYTES} says. */
  public static final Route<?, ?> BULK_SOURCE = Route.bytes("bulk-source");

  /** The header with a number of bytes. */
  public static final String BYTES = "bytes";

  private ServedRoutes() {}

  /** Serves all routes. */
  public static void serve(Transport transport) {
    transport.serveOnWorker(
        ECHO, call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
    transport.serve(
        ECHO_EXECUTOR,
        (payload, context) -> {
          context.answerHeaders(context.headers());
          return CompletableFuture.completedFuture(payload);
        });
    transport.serveOnWorker(SINK, call -> call.reply(0, 0));
    transport.serveOnWorker(SOURCE, ServedRoutes::source);
    transport.serveBulkWrites(
        BULK_SINK, offer -> CompletableFuture.completedFuture(RepeatedBlock.sampled()));
    transport.serveBulkReads(BULK_SOURCE, ServedRoutes::bulkSource);
    ServedStreams.serve(transport);
    ServedChains.serve(transport);
  }

  private static CompletionStage<BodySource> bulkSource(BulkOffer offer) {
    long length = bytes(offer.headers().text(BYTES).orElse(""));
    if (length < 0) {
      throw new IllegalArgumentException("bulk-source cannot give " + length + " bytes");
    }
    return CompletableFuture.completedFuture(RepeatedBlock.source(length));
  }

  private static long bytes(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "bulk-source wants the number of bytes in the header '" + BYTES + "'", e);
    }
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
