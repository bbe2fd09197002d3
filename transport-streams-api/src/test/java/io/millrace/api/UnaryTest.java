package io.millrace.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.wire.RouteId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnaryTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final RouteId ECHO_ON_WORKER = RouteId.of("echo-on-worker");

  @Test
  void shouldAnswerOnTheExecutorAndOnTheWorker() throws Exception {
    try (TwoNodes nodes = new TwoNodes("")) {
      Raw.serve(
          nodes.server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      Raw.serveOnWorker(
          nodes.server,
          ECHO_ON_WORKER,
          call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
      byte[] payload = "the wheel turns".getBytes(UTF_8);
      UnaryResponse first = Raw.unary(nodes.peer(), ECHO, payload).get(20, TimeUnit.SECONDS);
      assertArrayEquals(payload, first.payload());
      UnaryResponse second =
          Raw.unary(nodes.peer(), ECHO_ON_WORKER, payload).get(20, TimeUnit.SECONDS);
      assertArrayEquals(payload, second.payload());
      assertEquals(1, nodes.clientEvents().count("HandshakeCompleted"));
    }
  }
}
