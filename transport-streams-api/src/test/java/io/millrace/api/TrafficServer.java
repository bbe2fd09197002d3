package io.millrace.api;

import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.apache.pekko.stream.javadsl.Source;

/** Serves the transfers of {@link Traffic}, and writes each execution to the log. */
final class TrafficServer {
  private final TrafficLog log;

  private TrafficServer(TrafficLog log) {
    this.log = log;
  }

  static void serve(Transport transport, TrafficLog log) {
    TrafficServer server = new TrafficServer(log);
    Raw.serve(
        transport,
        Traffic.CALL,
        call -> {
          long id = KnownBytes.toLong(call.headers());
          server.onCall(id, call.payload());
          byte[] answer = KnownBytes.of(~id, Traffic.ANSWER_BYTES);
          return CompletableFuture.completedFuture(UnaryResponse.of(answer));
        });
    Raw.serveOnWorker(transport, Traffic.WORKER_CALL, server::onWorkerCall);
    Raw.serveBulkWrites(
        transport,
        Traffic.BODY,
        offer -> {
          long id = KnownBytes.toLong(offer.headers().encode());
          return CompletableFuture.completedFuture(
              new KnownTarget(
                  id,
                  Traffic.BODY_BYTES,
                  log::violated,
                  () -> log.executed(id, Traffic.digest(id))));
        });
    Raw.serveBidirectional(
        transport, Traffic.ECHO, call -> Raw.StreamingResponse.of(server.echo(call)));
  }

  private void onCall(long id, byte[] payload) {
    boolean isRight = KnownBytes.isWhole(id, payload, Traffic.CALL_BYTES);
    log.executed(id, isRight ? Traffic.digest(id) : ~Traffic.digest(id));
  }

  private void onWorkerCall(WorkerCall call) {
    DirectBuffer buffer = call.buffer();
    byte[] payload = new byte[call.payloadLength()];
    buffer.getBytes(call.payloadOffset(), payload);
    byte[] headers = new byte[call.headersLength()];
    buffer.getBytes(call.headersOffset(), headers);
    long id = KnownBytes.toLong(headers);
    onCall(id, payload);
    MutableDirectBuffer into = call.reply(0, Traffic.ANSWER_BYTES);
    into.putBytes(0, KnownBytes.of(~id, Traffic.ANSWER_BYTES));
  }

  private Source<byte[], ?> echo(Raw.ManyRequests call) {
    long id = KnownBytes.toLong(call.headers());
    log.executed(id, Traffic.digest(id));
    KnownElements asked = new KnownElements(id, log);
    return call.elements()
        .map(asked::take)
        .concatLazy(
            Source.lazySource(
                () -> {
                  asked.onWhole();
                  return Source.empty();
                }));
  }
}
