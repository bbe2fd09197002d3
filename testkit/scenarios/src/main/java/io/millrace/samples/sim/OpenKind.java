package io.millrace.samples.sim;

import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.Transport;
import io.millrace.api.bulk.BulkSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.util.ByteString;

/** The kinds of open transfers: a call without an answer, or a stream without elements. */
public enum OpenKind {
  /** A request without a payload, and an answer that does not come. */
  UNARY("unary") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serve(
          ROUTE,
          request -> {
            CompletableFuture<ByteString> answer = new CompletableFuture<>();
            open.add(answer);
            return answer;
          });
      server.serve(Footprint.CallCost.ECHO, CompletableFuture::completedFuture);
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.unary(ROUTE, NOTHING));
    }
  },

  /** A request whose payload went into regions of the server, and an answer that does not come. */
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

  /**
   * A bulk transfer with arrived headers and a source that yields nothing: the transfer has no
   * region.
   */
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
   * A bulk transfer whose receiver does not decide on a target. Some transfers hold the server's
   * regions, the others wait for tokens, or for memory to be sealed into.
   */
  BULK_WAITING("bulk-waiting") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveBulkWrites(ROUTE, offer -> new CompletableFuture<>());
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.bulkWrite(ROUTE, BulkSource.of(LONG.toArrayUnsafe()), SilentBody.WITH_HEADERS));
    }

    @Override
    boolean isServed() {
      return false;
    }
  },

  /** A request, and a stream of responses without demand from its receiver. */
  STREAMING_RESPONSE("streaming-response") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveStreamingResponse(
          ROUTE,
          (request, context) -> {
            open.add(context);
            return Source.never();
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(peer.streamingResponse(ROUTE, NOTHING).to(Sink.never()).run(materializer));
    }
  },

  /** A stream of requests whose first element does not come, and no response before. */
  STREAMING_REQUEST("streaming-request") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveStreamingRequest(
          ROUTE,
          requests -> {
            open.add(requests.to(Sink.never()).run(server.materializer()));
            return new CompletableFuture<>();
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(
          Source.<ByteString>never()
              .toMat(peer.streamingRequest(ROUTE), Keep.right())
              .run(materializer));
    }
  },

  /** Streams both ways without elements. */
  BIDIRECTIONAL("bidirectional") {
    @Override
    void serve(Transport server, List<Object> open) {
      server.serveBidirectional(
          ROUTE,
          requests -> {
            open.add(requests.to(Sink.never()).run(server.materializer()));
            return Source.never();
          });
    }

    @Override
    void open(Peer peer, Materializer materializer, List<Object> held) {
      held.add(
          Source.<ByteString>never()
              .via(peer.bidirectional(ROUTE))
              .to(Sink.never())
              .run(materializer));
    }
  };

  private static final Route<ByteString, ByteString> ROUTE = Route.bytes("footprint");
  private static final ByteString NOTHING = ByteString.emptyByteString();
  private static final ByteString LONG = ByteString.fromArrayUnsafe(new byte[10_000]);

  private final String text;

  OpenKind(String text) {
    this.text = text;
  }

  /** Returns the name for people. */
  public String text() {
    return text;
  }

  /** Returns whether the server hears of each transfer. */
  boolean isServed() {
    return true;
  }

  /** Serves this kind; the application's objects go into {@code open}. */
  abstract void serve(Transport server, List<Object> open);

  /** Opens a transfer; the application's objects go into {@code held}. */
  abstract void open(Peer peer, Materializer materializer, List<Object> held);
}
