package io.millrace.samples.sim;

import io.millrace.api.Peer;
import io.millrace.api.StreamingResponse;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.api.UnaryRequest;
import io.millrace.api.UnaryResponse;
import io.millrace.api.bulk.BulkSource;
import io.millrace.wire.Route;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;

/**
 * What is opened and stays open: a call that is not answered, or a stream on which nothing moves.
 */
public enum OpenKind {
  /** One request without a payload, and an answer that does not come. */
  UNARY("unary") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serve(
          ROUTE,
          call -> {
            CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
            open.add(answer);
            return answer;
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.unary(ROUTE, NOTHING));
    }
  },

  /** One request that went into regions of the server, and an answer that does not come. */
  TOKENED("unary-tokened") {
    @Override
    void serve(Transport server, List<Object> open) {
      UNARY.serve(server, open);
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.unary(ROUTE, LONG));
    }
  },

  /** Bulk of which the headers have arrived, and whose source yields nothing: it has no region. */
  BULK("bulk") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveBulkWrites(
          ROUTE,
          offer -> {
            open.add(SilentBody.TARGET);
            return CompletableFuture.completedFuture(SilentBody.TARGET);
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.bulkWrite(ROUTE, SilentBody.SOURCE, SilentBody.WITH_HEADERS));
    }
  },

  /**
   * Bulk whose receivers do not decide where it goes: some of it holds the server's regions, the
   * rest waits for tokens, or for memory to be sealed into.
   */
  BULK_WAITING("bulk-waiting") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveBulkWrites(ROUTE, offer -> new CompletableFuture<>());
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.bulkWrite(ROUTE, BulkSource.of(LONG), SilentBody.WITH_HEADERS));
    }

    @Override
    boolean isServed() {
      return false;
    }
  },

  /** One request, and a stream of responses that its receiver does not ask for. */
  STREAMING_RESPONSE("streaming-response") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveStreamingResponse(
          ROUTE,
          call -> {
            open.add(call);
            return StreamingResponse.of(Source.never());
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(
          peer.streamingResponse(UnaryRequest.of(ROUTE, NOTHING))
              .to(Sink.never())
              .run(materializer));
    }
  },

  /** A stream of requests of which the first does not come, and no response before. */
  STREAMING_REQUEST("streaming-request") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveStreamingRequest(
          ROUTE,
          call -> {
            open.add(call.elements().to(Sink.never()).run(server.materializer()));
            return new CompletableFuture<>();
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(
          Source.<byte[]>never()
              .toMat(peer.streamingRequest(ROUTE, TransferOptions.DEFAULTS), Keep.right())
              .run(materializer));
    }
  },

  /** Streams both ways on which nothing moves. */
  BIDIRECTIONAL("bidirectional") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveBidirectional(
          ROUTE,
          call -> {
            open.add(call.elements().to(Sink.never()).run(server.materializer()));
            return StreamingResponse.of(Source.never());
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(
          Source.<byte[]>never()
              .via(peer.bidirectional(ROUTE, TransferOptions.DEFAULTS))
              .to(Sink.never())
              .run(materializer));
    }
  };

  private static final Route ROUTE = Route.of("footprint");
  private static final byte[] NOTHING = {};
  private static final byte[] LONG = new byte[10_000];

  private final String text;

  OpenKind(String text) {
    this.text = text;
  }

  /** Its name for people. */
  public String text() {
    return text;
  }

  /** Whether the server comes to know of each. */
  boolean isServed() {
    return true;
  }

  /** Serves it; what the application holds goes into {@code open}. */
  abstract void serve(Transport server, List<Object> open);

  /** Opens one; what the application holds goes into {@code held}. */
  abstract void open(Peer peer, Materializer materializer, List<Object> held);
}
