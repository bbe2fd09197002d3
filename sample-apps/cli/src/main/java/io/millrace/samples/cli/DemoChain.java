package io.millrace.samples.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.api.Call;
import io.millrace.api.Peer;
import io.millrace.api.Registration;
import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.transfer.CausalityToken;
import io.millrace.transfer.DependencyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A chain of dependent calls over three nodes. In each round A calls B, and B's handler calls C
 * with the token of the call under service; A calls C after B's answer. All calls of all rounds are
 * begun at once, each after the call before. Every node appends to a common log, which must have
 * the order of the chain.
 */
final class DemoChain {
  private static final int NODES = 3;
  private static final int ROUNDS = 50;
  private static final int CALLS_PER_ROUND = 3;

  private final Transport node;
  private final Peer second;
  private final Peer third;
  private final List<String> log = new ArrayList<>();

  /**
   * Dependent calls over several nodes, executed in their order.
   *
   * @param nodes the number of nodes
   * @param calls the number of calls, including the calls of handlers
   * @param elapsedNs from the first call to the last answer
   */
  record DependentCalls(int nodes, int calls, long elapsedNs) {}

  DemoChain(Transport node, Peer second, Peer third) {
    this.node = node;
    this.second = second;
    this.third = third;
  }

  /**
   * Runs the rounds.
   *
   * @throws CommandException if the log has another order, or a call belongs to another chain
   */
  DependentCalls run() throws InterruptedException, ExecutionException {
    long startNs = System.nanoTime();
    try (Registration _ = node.serve(DemoChainRoutes.LOG, this::append)) {
      append("A begins");
      List<Call<ByteString>> calls = begin(TransferOptions.DEFAULTS.withToken());
      DemoRun.await(
          CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)),
          this::lines,
          "the chain stalled");
      append("A ends");
      requireSameChain(calls);
    }
    long elapsedNs = System.nanoTime() - startNs;
    requireOrder();
    return new DependentCalls(NODES, CALLS_PER_ROUND * ROUNDS, elapsedNs);
  }

  /** Begins the calls of this node, two of the three calls in a round. */
  private List<Call<ByteString>> begin(TransferOptions first) {
    TransferOptions next = first;
    List<Call<ByteString>> calls = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      Call<ByteString> there =
          visit(
              second,
              atB(round),
              next.withHeader(DemoChainRoutes.NEXT, third.address())
                  .withHeader(DemoChainRoutes.NEXT_LINE, atCForB(round)));
      Call<ByteString> onwards = visit(third, atCForA(round), after(there.token()));
      next = after(onwards.token());
      calls.add(there);
      calls.add(onwards);
    }
    return calls;
  }

  private static TransferOptions after(CausalityToken token) {
    return TransferOptions.DEFAULTS.after(token, DependencyKind.RESPONSE_CRITICAL);
  }

  private Call<ByteString> visit(Peer peer, String line, TransferOptions options) {
    return peer.unary(
        DemoChainRoutes.VISIT,
        DemoChainRoutes.line(line),
        options.withHeader(DemoChainRoutes.LOG_AT, node.address()));
  }

  private static String atB(int round) {
    return round + ": B, called by A";
  }

  private static String atCForB(int round) {
    return round + ": C, called by B";
  }

  private static String atCForA(int round) {
    return round + ": C, called by A";
  }

  private CompletableFuture<ByteString> append(ByteString line) {
    append(new String(line.toArrayUnsafe(), UTF_8));
    return CompletableFuture.completedFuture(ByteString.emptyByteString());
  }

  private synchronized void append(String line) {
    log.add(line);
  }

  private synchronized int lines() {
    return log.size();
  }

  private synchronized List<String> log() {
    return List.copyOf(log);
  }

  /** Requires that every node knew its call by the same chain. */
  private static void requireSameChain(List<Call<ByteString>> calls) {
    ByteString chain = DemoChainRoutes.line(calls.getFirst().token().correlationId());
    for (Call<ByteString> call : calls) {
      if (!chain.equals(call.getNow(null))) {
        throw CommandException.failed("a call of the chain over three nodes was of another chain");
      }
    }
  }

  private void requireOrder() {
    List<String> due = new ArrayList<>(List.of("A begins"));
    for (int round = 0; round < ROUNDS; round++) {
      due.addAll(List.of(atB(round), atCForB(round), atCForA(round)));
    }
    due.add("A ends");
    String problem = disorder(due, log());
    if (problem != null) {
      throw CommandException.failed("the chain over three nodes was out of order: " + problem);
    }
  }

  /** Returns the first difference, or null. */
  static @Nullable String disorder(List<String> due, List<String> log) {
    for (int i = 0; i < Math.max(due.size(), log.size()); i++) {
      String expected = i < due.size() ? due.get(i) : "nothing";
      String found = i < log.size() ? log.get(i) : "nothing";
      if (!found.equals(expected)) {
        return "'" + found + "' where '" + expected + "' was due";
      }
    }
    return null;
  }
}
