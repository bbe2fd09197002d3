package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.CallContext;
import io.millrace.api.Peer;
import io.millrace.api.Route;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.util.ByteString;

/**
 * The routes of the demo's nodes for a chain of calls over several nodes. Each node appends a line
 * to the first node's log, and may go on to another node before answering.
 */
final class DemoChainRoutes {
  /**
   * Appends the payload to the log, goes on to {@link #NEXT} if given, and answers with the
   * identity of the chain.
   */
  static final Route<ByteString, ByteString> VISIT = Route.bytes("demo-chain-visit");

  /** Appends the payload to the log of the called node. */
  static final Route<ByteString, ByteString> LOG = Route.bytes("demo-chain-log");

  /** The header with the address of the node that keeps the log. */
  static final String LOG_AT = "log";

  /** The header with the address of the next node in the chain. */
  static final String NEXT = "next";

  /** The header with the line to append at the next node. */
  static final String NEXT_LINE = "next-line";

  private final Transport node;

  private DemoChainRoutes(Transport node) {
    this.node = node;
  }

  static void serve(Transport node) {
    DemoChainRoutes routes = new DemoChainRoutes(node);
    node.serve(VISIT, routes::visit);
  }

  static ByteString line(String text) {
    return ByteString.fromArrayUnsafe(text.getBytes(UTF_8));
  }

  private CompletionStage<ByteString> visit(ByteString line, CallContext context) {
    CausalityToken token =
        context.token().orElseThrow(() -> new IllegalStateException("the call has no token"));
    Peer log = node.peer(header(context, LOG_AT));
    return log.unary(LOG, line)
        .thenCompose(_ -> goOn(context, token))
        .thenApply(_ -> line(token.correlationId()));
  }

  /**
   * Ends with the next call, if there is a next call; the next call fails if this node's caller
   * gives up.
   */
  private CompletionStage<ByteString> goOn(CallContext context, CausalityToken token) {
    if (context.headers().text(NEXT).isEmpty()) {
      return CompletableFuture.completedFuture(ByteString.emptyByteString());
    }
    TransferOptions options =
        TransferOptions.DEFAULTS
            .withHeader(LOG_AT, header(context, LOG_AT))
            .after(token, DependencyKind.REQUEST_CRITICAL);
    return node.peer(header(context, NEXT))
        .unary(VISIT, line(header(context, NEXT_LINE)), options)
        .thenApply(
            answer -> {
              if (!answer.equals(line(token.correlationId()))) {
                throw new IllegalStateException("the next node has a token of another chain");
              }
              return answer;
            });
  }

  private static String header(CallContext context, String name) {
    return context
        .headers()
        .text(name)
        .orElseThrow(() -> new IllegalArgumentException("the header '" + name + "' is missing"));
  }
}
