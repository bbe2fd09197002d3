package io.millrace.samples.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.TransferOptions;
import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.util.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The findings of the demo with a faulty node in a chain. */
@Timeout(60)
class DemoChainTest {
  @TempDir static Path shared;

  private final TransportSettings settings = LocalCertificates.in(shared).settings();
  private final Transport first = Transport.start(settings);
  private final Transport second = Transport.start(settings);
  private final Transport third = Transport.start(settings);

  @AfterEach
  void close() {
    first.close();
    second.close();
    third.close();
  }

  private DemoChain.DependentCalls run() throws Exception {
    return new DemoChain(first, first.peer(second.address()), first.peer(third.address())).run();
  }

  private String failure() {
    return Sentence.of(assertThrows(Exception.class, this::run));
  }

  @Test
  void shouldGoOverThreeNodesInOrder() throws Exception {
    DemoChainRoutes.serve(second);
    DemoChainRoutes.serve(third);

    DemoChain.DependentCalls chain = run();

    assertEquals(3, chain.nodes());
    assertEquals(150, chain.calls());
    assertTrue(chain.elapsedNs() > 0);
  }

  /** The second node answers without going on to the third. */
  @Test
  void shouldFindACallThatIsMissing() {
    second.serve(
        DemoChainRoutes.VISIT,
        (line, context) ->
            second
                .peer(context.peer())
                .unary(DemoChainRoutes.LOG, line)
                .thenApply(
                    _ -> DemoChainRoutes.line(context.token().orElseThrow().correlationId())));
    DemoChainRoutes.serve(third);

    assertEquals(
        "the chain over three nodes was out of order: '0: C, called by A' where"
            + " '0: C, called by B' was due",
        failure());
  }

  /** The second node calls the third without the token of the call under service. */
  @Test
  void shouldFindACallOfAnotherChain() {
    second.serve(
        DemoChainRoutes.VISIT,
        (line, context) ->
            second
                .peer(third.address())
                .unary(
                    DemoChainRoutes.VISIT,
                    line,
                    TransferOptions.DEFAULTS
                        .withToken()
                        .withHeader(DemoChainRoutes.LOG_AT, first.address())));
    DemoChainRoutes.serve(third);

    assertEquals("a call of the chain over three nodes was of another chain", failure());
  }

  @Test
  void shouldFailWithANodeThatFails() {
    DemoChainRoutes.serve(second);
    third.serve(
        DemoChainRoutes.VISIT,
        line -> CompletableFuture.<ByteString>failedFuture(new IllegalStateException("planned")));

    String sentence = failure();

    assertTrue(sentence.contains("planned"), sentence);
  }

  @Test
  void shouldTellTheFirstLineThatIsWrong() {
    List<String> due = List.of("a", "b");

    assertNull(DemoChain.disorder(due, due));
    assertEquals("'b' where 'a' was due", DemoChain.disorder(due, List.of("b", "a")));
    assertEquals("'nothing' where 'b' was due", DemoChain.disorder(due, List.of("a")));
    assertEquals("'c' where 'nothing' was due", DemoChain.disorder(due, List.of("a", "b", "c")));
  }
}
