package io.millrace.api;

import static io.millrace.api.StreamChecks.HEADERS;
import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.elements;
import static io.millrace.api.StreamChecks.materializer;
import static io.millrace.api.StreamChecks.options;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.memory.SegmentBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.pekko.stream.javadsl.Sink;

/** A pattern with requests, and the place of its handlers: the executor or the worker. */
enum AcceptorPattern {
  UNARY(Asking.UNARY) {
    @Override
    void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
      Raw.serve(
          nodes.server(),
          ROUTE,
          acceptor,
          call -> {
            served.handle(call.payload().length);
            return CompletableFuture.completedStage(RESPONSE);
          });
    }
  },
  UNARY_ON_WORKER(Asking.UNARY) {
    @Override
    void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
      Raw.serveOnWorker(
          nodes.server(),
          ROUTE,
          acceptor,
          call -> {
            served.handle(call.payloadLength());
            call.reply(new SegmentBuffer(RESPONSE.payload()), 0, RESPONSE.payload().length);
          });
    }
  },
  STREAMING_RESPONSE(Asking.STREAMING_RESPONSE) {
    @Override
    void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
      Raw.serveStreamingResponse(
          nodes.server(),
          ROUTE,
          acceptor,
          call -> {
            served.handle(call.payload().length);
            return Raw.StreamingResponse.of(elements(3));
          });
    }
  },
  STREAMING_REQUEST(Asking.STREAMING_REQUEST) {
    @Override
    void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
      Raw.serveStreamingRequest(
          nodes.server(),
          ROUTE,
          acceptor,
          call -> {
            served.handle(0);
            return call.elements()
                .runWith(Sink.ignore(), materializer(nodes.server()))
                .thenApply(done -> RESPONSE);
          });
    }
  },
  BIDIRECTIONAL(Asking.BIDIRECTIONAL) {
    @Override
    void serve(NodePair nodes, RequestAcceptor acceptor, Served served) {
      Raw.serveBidirectional(
          nodes.server(),
          ROUTE,
          acceptor,
          call -> {
            served.handle(0);
            return Raw.StreamingResponse.of(call.elements());
          });
    }
  };

  private static final UnaryResponse RESPONSE = UnaryResponse.of(new byte[1]);
  private static final int PRIORITY = 5;
  private final Asking asking;

  AcceptorPattern(Asking asking) {
    this.asking = asking;
  }

  /** The serving node's observations, in their order. */
  static final class Served {
    final ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();

    void accept(RequestOffer offer) {
      assertArrayEquals(HEADERS, offer.headers().encode());
      assertEquals(PRIORITY, offer.priority());
      seen.add("offered " + offer.payloadBytes());
    }

    void refuse(RequestOffer offer) {
      accept(offer);
      throw new IllegalStateException("too much");
    }

    void handle(int payloadBytes) {
      seen.add("handled " + payloadBytes);
    }
  }

  /** The caller's side of a pattern. */
  private enum Asking {
    UNARY {
      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return Raw.unary(nodes.peer(), new UnaryRequest(ROUTE, payload, asked()));
      }
    },
    STREAMING_RESPONSE {
      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return Raw.streamingResponse(nodes.peer(), new UnaryRequest(ROUTE, payload, asked()))
            .runWith(Sink.seq(), materializer(nodes.client()));
      }
    },
    STREAMING_REQUEST {
      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return elements(100)
            .runWith(
                Raw.streamingRequest(nodes.peer(), ROUTE, asked()), materializer(nodes.client()));
      }
    },
    BIDIRECTIONAL {
      @Override
      CompletionStage<?> request(NodePair nodes, byte[] payload) {
        return elements(100)
            .via(Raw.bidirectional(nodes.peer(), ROUTE, asked()))
            .runWith(Sink.seq(), materializer(nodes.client()));
      }
    };

    abstract CompletionStage<?> request(NodePair nodes, byte[] payload);

    private static TransferOptions asked() {
      return options().withPriority(PRIORITY);
    }
  }

  abstract void serve(NodePair nodes, RequestAcceptor acceptor, Served served);

  /** Sends a request; patterns with a stream of requests have no payload of their own. */
  CompletionStage<?> request(NodePair nodes, byte[] payload) {
    return asking.request(nodes, payload);
  }

  boolean hasPayload() {
    return asking == Asking.UNARY || asking == Asking.STREAMING_RESPONSE;
  }
}
