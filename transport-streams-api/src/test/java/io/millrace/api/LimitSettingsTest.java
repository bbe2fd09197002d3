package io.millrace.api;

import static io.millrace.api.StreamChecks.ROUTE;
import static io.millrace.api.StreamChecks.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.node.CallerLoop;
import io.millrace.path.peer.WorkerCensus;
import io.millrace.testkit.internal.driver.ForwardingDriver;
import io.millrace.udp.nio.NioUdpProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of the settings, and the effect of each limit. */
@Timeout(120)
class LimitSettingsTest {
  /** A driver that records the most datagrams wanted by a worker in a poll. */
  private static final class PollWatch extends ForwardingDriver {
    private final Set<Integer> limits = ConcurrentHashMap.newKeySet();

    PollWatch() {
      super(new NioUdpProvider());
    }

    @Override
    public Endpoint open(EndpointSettings settings) throws DriverException {
      Endpoint endpoint = super.open(settings);
      return (Endpoint)
          Proxy.newProxyInstance(
              Endpoint.class.getClassLoader(),
              new Class<?>[] {Endpoint.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("poll")) {
                  limits.add((Integer) arguments[1]);
                }
                try {
                  return method.invoke(endpoint, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void shouldPollForNoMoreDatagramsThanTheReceiveLimit(int limit) throws Exception {
    PollWatch watch = new PollWatch();
    String setting = "millrace.workers.receive-limit = " + limit;
    try (TwoNodes nodes = new TwoNodes(setting, b -> b.driver(watch), b -> b.driver(watch))) {
      Raw.serveOnWorker(nodes.server, ROUTE, call -> call.reply(0, 0));

      await(nodes, Raw.unary(nodes.peer(), ROUTE, new byte[1]));

      assertEquals(Set.of(limit), watch.limits);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void shouldTakeNoMoreSubmissionsInATurnThanTheirLimit(int limit) throws Exception {
    String driven =
        "millrace.workers { idle-strategy = CALLER_RUNS, submission-limit = " + limit + " }";
    try (TwoNodes nodes = new TwoNodes(new World.Settings("", driven), b -> b, b -> b)) {
      Raw.serveOnWorker(nodes.server, ROUTE, call -> call.reply(0, 0));
      CallerLoop loop = nodes.client.callerLoops().getFirst();
      CompletableFuture<?> connected = nodes.peer().connect().toCompletableFuture();
      assertTrue(nodes.awaitUntil(() -> isDone(connected, loop)));
      List<CompletableFuture<?>> calls = new ArrayList<>();
      for (int i = 0; i < 9; i++) {
        calls.add(Raw.unary(nodes.peer(), ROUTE, new byte[1]));
      }

      for (int left = 9; left > 0; left -= limit) {
        assertEquals(left, waiting(nodes.client));
        loop.runTurn();
      }

      assertEquals(0, waiting(nodes.client));
      for (CompletableFuture<?> call : calls) {
        assertTrue(nodes.awaitUntil(() -> isDone(call, loop)));
      }
    }
  }

  private static boolean isDone(CompletableFuture<?> future, CallerLoop loop) {
    loop.runTurn();
    return future.isDone();
  }

  private static long waiting(Transport node) {
    long waiting = 0;
    for (WorkerCensus worker : node.pool().census().workers()) {
      waiting += worker.waiting().submissions();
    }
    return waiting;
  }

  /** A waiting request reaches the handler once another request was answered. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldGiveAHandlerNoMoreRequestsOfAPeerThanItMayHaveOpen(int limit) throws Exception {
    PatternWorld.SIMULATED.run(
        new World.Settings("millrace.limits.concurrent-transfers = " + limit, ""),
        nodes -> {
          List<CompletableFuture<UnaryResponse>> came = new ArrayList<>();
          Raw.serve(
              nodes.server(),
              ROUTE,
              call -> {
                CompletableFuture<UnaryResponse> answer = new CompletableFuture<>();
                came.add(answer);
                return answer;
              });
          List<CompletableFuture<?>> calls = new ArrayList<>();
          for (int i = 0; i < limit + 2; i++) {
            calls.add(Raw.unary(nodes.peer(), ROUTE, new byte[1]));
          }

          for (int answered = 0; answered < calls.size(); answered++) {
            int most = Math.min(calls.size(), answered + limit);
            assertTrue(nodes.awaitUntil(() -> came.size() == most), () -> came.size() + " came");
            assertFalse(nodes.awaitUntil(() -> came.size() > most), "one more than may be open");
            came.get(answered).complete(UnaryResponse.of(new byte[1]));
            await(nodes, calls.get(answered));
          }
        });
  }
}
