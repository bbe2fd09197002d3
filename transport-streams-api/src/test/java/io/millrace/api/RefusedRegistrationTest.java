package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.RemoteMemory;
import io.millrace.ends.PathCounters;
import io.millrace.engine.DriverChoice;
import io.millrace.event.RecordingEvents;
import io.millrace.testkit.driver.NeedsDriver;
import io.millrace.testkit.internal.driver.ForwardingDriver;
import io.millrace.wire.RouteId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nodes over a provider of libfabric whose system refuses to register send memory for a while. The
 * reduced mode lasts for a second at least.
 */
@Tag("soak")
@NeedsDriver(PatternWorld.SOCKETS)
@Timeout(120)
class RefusedRegistrationTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final byte[] PAYLOAD = BodyTest.random(300_000, 1);
  private static final int MOST_CALLS = 10_000;

  private final RecordingEvents events = new RecordingEvents(10_000);
  private final AtomicBoolean isRefusing = new AtomicBoolean(true);

  private static DriverProvider sockets() {
    return DriverChoice.discover().stream()
        .map(each -> each.named(PatternWorld.SOCKETS))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }

  /** Opens endpoints that register no send memory while the test says so. */
  private static final class Refusing extends ForwardingDriver {
    private final AtomicBoolean isRefusing;

    Refusing(DriverProvider real, AtomicBoolean isRefusing) {
      super(real);
      this.isRefusing = isRefusing;
    }

    @Override
    public Endpoint open(EndpointSettings settings) throws DriverException {
      Endpoint opened = Objects.requireNonNull(super.open(settings));
      RemoteMemory memory =
          proxy(
              RemoteMemory.class,
              (method, arguments) -> {
                boolean isSource = method.getName().equals("register") && !(boolean) arguments[1];
                if (isSource && isRefusing.get()) {
                  throw new DriverException("no", DriverException.Kind.OUT_OF_MEMORY);
                }
                return invoke(Objects.requireNonNull(opened.remoteMemory()), method, arguments);
              });
      return proxy(
          Endpoint.class,
          (method, arguments) ->
              method.getName().equals("remoteMemory") ? memory : invoke(opened, method, arguments));
    }
  }

  private interface Call {
    Object to(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.to(method, arguments)));
  }

  private static Object invoke(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static void call(Peer peer) throws Exception {
    assertArrayEquals(PAYLOAD, Raw.unary(peer, ECHO, PAYLOAD).get(30, TimeUnit.SECONDS).payload());
  }

  @Test
  void shouldCallByChunksWhileSendMemoryIsRefusedAndByWritesAfterwards() throws Exception {
    String settings = "millrace.nic.driver = \"" + PatternWorld.SOCKETS + "\"\n";
    try (Transport server = Transport.start(TwoNodes.small(settings));
        Transport client =
            Transport.builder(TwoNodes.small(settings))
                .driver(new Refusing(sockets(), isRefusing))
                .events(events)
                .start()) {
      Raw.serve(
          server,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      PathCounters counters = client.pool().port(0).counters();
      Peer peer = client.peer(server.address());
      for (int i = 0; i < 3; i++) {
        call(peer);
      }
      assertEquals(0, counters.remoteWritesPosted);
      assertEquals(1, events.count("RegistrationRefused"), events.lines().toString());

      isRefusing.set(false);
      int calls = 0;
      while (events.count("RegistrationRestored") == 0 && calls < MOST_CALLS) {
        call(peer);
        calls++;
      }
      call(peer);
      assertTrue(counters.remoteWritesPosted > 0, events.lines().toString());
      assertEquals(1, events.count("RegistrationRestored"), events.lines().toString());
      assertEquals(1, events.count("RegistrationRefused"), events.lines().toString());
    }
  }
}
