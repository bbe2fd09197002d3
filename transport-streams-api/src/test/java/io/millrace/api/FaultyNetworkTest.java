package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverProvider;
import io.millrace.testkit.driver.ImpairedDriver;
import io.millrace.testkit.driver.Impairment;
import io.millrace.udp.nio.NioUdpProvider;
import io.millrace.wire.Route;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real sockets whose receivers lose, double, swap and corrupt datagrams by a seed. */
@Timeout(120)
class FaultyNetworkTest {
  private static final Route REVERSE = Route.of("reverse");
  private static final int CALLS = 2_000;

  @ParameterizedTest
  @CsvSource({"0,0,0,0", "1,0,0,0", "5,0,0,0", "20,0,0,0", "0,20,20,0", "5,5,5,5"})
  void shouldCompleteEveryCallRightAndExecuteItOnce(
      int loss, int duplication, int reordering, int corruption) throws Exception {
    Impairment impairment = new Impairment(42, loss, duplication, reordering, 8, corruption);
    DriverProvider driver = new ImpairedDriver(new NioUdpProvider(), impairment);
    AtomicIntegerArray executions = new AtomicIntegerArray(CALLS);
    try (TwoNodes nodes =
        new TwoNodes("", builder -> builder.driver(driver), builder -> builder.driver(driver))) {
      nodes.server.serveOnWorker(
          REVERSE,
          call -> {
            executions.incrementAndGet(call.buffer().getInt(call.payloadOffset()));
            byte[] payload = new byte[call.payloadLength()];
            call.buffer().getBytes(call.payloadOffset(), payload);
            call.reply(new UnsafeBuffer(reversed(payload)), 0, payload.length);
          });
      List<byte[]> payloads = payloads();
      List<CompletableFuture<UnaryResponse>> futures = new ArrayList<>();
      for (byte[] payload : payloads) {
        futures.add(nodes.peer().unary(REVERSE, payload));
      }
      for (int i = 0; i < CALLS; i++) {
        byte[] answer = futures.get(i).get(100, TimeUnit.SECONDS).payload();
        assertTrue(Arrays.equals(reversed(payloads.get(i)), answer), "call " + i);
        assertEquals(1, executions.get(i), "call " + i);
      }
      report(loss, nodes);
      assertTrue(loss + corruption == 0 || again(nodes.client) + again(nodes.server) > 0);
    }
  }

  private static long again(Transport transport) {
    return transport.snapshot().workers().getFirst().transfers().framesRetransmitted();
  }

  private static void report(int loss, TwoNodes nodes) {
    System.out.println(
        "loss "
            + loss
            + " %: frames sent again "
            + (again(nodes.client) + again(nodes.server))
            + ", client "
            + nodes.client.snapshot().workers().getFirst().transfers());
  }

  private static List<byte[]> payloads() {
    Random random = new Random(7);
    List<byte[]> payloads = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      byte[] payload = new byte[4 + random.nextInt(1_000)];
      random.nextBytes(payload);
      new UnsafeBuffer(payload).putInt(0, i);
      payloads.add(payload);
    }
    return payloads;
  }

  private static byte[] reversed(byte[] bytes) {
    byte[] reversed = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      reversed[i] = bytes[bytes.length - 1 - i];
    }
    return reversed;
  }
}
