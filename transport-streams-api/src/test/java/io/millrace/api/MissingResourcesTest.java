package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.DriverNotices;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.engine.NodeEnvironment;
import io.millrace.event.RecordingEvents;
import io.millrace.loop.CpuSet;
import io.millrace.loop.Machine;
import io.millrace.node.SystemNics;
import io.millrace.node.TransportException;
import io.millrace.testkit.internal.driver.ForwardingDriver;
import io.millrace.wire.RouteId;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node without a resource starts, works, and reports the lack once. */
@Timeout(60)
class MissingResourcesTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

  private final RecordingEvents events = new RecordingEvents(10_000);

  /**
   * Starts a node and calls the node; {@code told} is the begin of the single event of its kind.
   */
  private void shouldWorkAndTell(
      String settings, UnaryOperator<Transport.Builder> choices, String told) throws Exception {
    try (Transport node =
            choices.apply(Transport.builder(TwoNodes.small(settings)).events(events)).start();
        Transport client = Transport.start(TwoNodes.small(""))) {
      Raw.serve(
          node, ECHO, call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      byte[] bytes = {1, 2, 3};
      assertArrayEquals(
          bytes,
          Raw.unary(client.peer(node.address()), ECHO, bytes).get(20, TimeUnit.SECONDS).payload());
    }
    List<String> missing =
        events.lines().stream().filter(line -> line.contains("resource=" + told)).toList();
    assertEquals(1, missing.size(), () -> told + " is not told once: " + events.lines());
  }

  /** Returns the environment of the process, with another machine and other flags of the JVM. */
  private static NodeEnvironment on(Machine machine, String... jvmFlags) {
    Map<String, Object> answers = Map.of("machine", machine, "jvmFlags", List.of(jvmFlags));
    return (NodeEnvironment)
        Proxy.newProxyInstance(
            NodeEnvironment.class.getClassLoader(),
            new Class<?>[] {NodeEnvironment.class},
            (proxy, method, arguments) -> {
              Object answer = answers.get(method.getName());
              return answer != null ? answer : invoke(NodeEnvironment.PROCESS, method, arguments);
            });
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Machine machine(long descriptors, long hugePages) {
    Machine known = Machine.unknown();
    return new Machine(known.topology(), CpuSet.of(0), List.of(), descriptors, hugePages);
  }

  private static DriverProvider nio() {
    return ServiceLoader.load(DriverProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(driver -> driver.name().equals("udp-nio"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldTakeUdpWhereThereIsNoFabric() throws Exception {
    shouldWorkAndTell("millrace.nic.driver = auto\n", builder -> builder, "driver efa ");
    assertEquals(1, events.count("DriverPassedOver"));
  }

  @Test
  void shouldRunUnpinnedWhereACoreIsMissing() throws Exception {
    shouldWorkAndTell("millrace.workers.cores = [8191]\n", builder -> builder, "core 8191 ");
    assertEquals(1, events.count("PinFailed"));
    assertTrue(events.lines().toString().contains("core=-1"), "it is not pinned");
  }

  @Test
  void shouldRunUnpinnedWhereTooFewCoresAreAllowed() throws Exception {
    shouldWorkAndTell(
        "millrace.workers.cores = auto\n",
        builder -> builder.environment(on(machine(Machine.UNKNOWN, Machine.UNKNOWN))),
        "cores for workers ");
    assertEquals(0, events.count("CoresAssigned"));
  }

  @Test
  void shouldTellThatPinnedWorkersHaveNoCoreOfTheirOwn() throws Exception {
    shouldWorkAndTell(
        "millrace.workers.cores = [0]\n",
        builder -> builder.environment(on(machine(Machine.UNKNOWN, Machine.UNKNOWN))),
        "cores of their own for workers reason=not isolated, so other threads may run there: 0 ");
    assertTrue(events.lines().contains("CoresAssigned coreOfWorker=[0] isolated=[]"));
  }

  /** Each worker runs on its core before the first packet of a peer arrives. */
  @Test
  void shouldPinWorkersBeforeTheFirstTransfer() throws Exception {
    shouldWorkAndTell(
        "millrace.workers.cores = [0]\n", builder -> builder, "cores of their own for workers ");
    List<String> names = events.lines().stream().map(line -> line.split(" ", 2)[0]).toList();
    int started = names.indexOf("WorkerStarted");
    assertTrue(events.lines().get(started).endsWith(" core=0"), events.lines().get(started));
    assertTrue(names.indexOf("CoresAssigned") < started, names.toString());
    assertTrue(names.contains("PathOpened"), names.toString());
    assertTrue(started < names.indexOf("PathOpened"), names.toString());
  }

  @Test
  void shouldTellThatDescriptorsWillNotDo() throws Exception {
    shouldWorkAndTell(
        "",
        builder -> builder.environment(on(machine(20, Machine.UNKNOWN))),
        "file descriptors reason=20 may still be opened, up to 49 are wanted ");
  }

  @Test
  void shouldTellThatHugePagesAreMissing() throws Exception {
    shouldWorkAndTell(
        "",
        builder -> builder.environment(on(machine(1_000, 0), "-XX:+UseLargePages")),
        "huge pages ");
  }

  @Test
  void shouldStartOnANicThatIsDown() throws Exception {
    Machine known = Machine.unknown();
    SystemNics.Nic down = new SystemNics.Nic("eth9", false, false, 0, -1, List.of(LOOPBACK));
    Machine machine =
        new Machine(known.topology(), CpuSet.NONE, List.of(down), Machine.UNKNOWN, Machine.UNKNOWN);
    shouldWorkAndTell("", builder -> builder.environment(on(machine)), "NIC eth9 ");
  }

  /** A wrong address in the settings is an error, not a lack. */
  @Test
  void shouldNotStartAtAnAddressThatIsNotItsOwn() {
    TransportException failure =
        assertThrows(
            TransportException.class,
            () -> Transport.start(TwoNodes.small("millrace.nic.address = \"192.0.2.1:0\"\n")));
    assertTrue(String.valueOf(failure.getMessage()).contains("192.0.2.1"), failure.getMessage());
  }

  @Test
  void shouldGiveAWorkerAnotherPortIfItsOwnIsTaken() throws Exception {
    try (DatagramChannel taken = bindAboveAFreePort()) {
      int port = ((InetSocketAddress) taken.getLocalAddress()).getPort();
      shouldWorkAndTell(
          "millrace.workers.count = 2, millrace.nic.address = \"127.0.0.1:" + (port - 1) + "\"\n",
          builder -> builder,
          "port " + port + " ");
    }
  }

  /** Binds a port with a free lower neighbour; the neighbour was bound a moment ago. */
  private static DatagramChannel bindAboveAFreePort() throws IOException {
    int free;
    try (DatagramChannel first = DatagramChannel.open()) {
      first.bind(new InetSocketAddress(LOOPBACK, 0));
      free = ((InetSocketAddress) first.getLocalAddress()).getPort();
    }
    DatagramChannel taken = DatagramChannel.open();
    taken.bind(new InetSocketAddress(LOOPBACK, free + 1));
    return taken;
  }

  /** Offload, the queue of ICMP errors, congestion marks, buffers. */
  @Test
  void shouldTellOnceWhatEachWorkersSocketIsRefused() throws Exception {
    List<String> refused =
        List.of("GSO: refused", "error queue: refused", "ECN: refused", "SO_RCVBUF: refused");
    shouldWorkAndTell(
        "millrace.workers.count = 2\n",
        builder -> builder.driver(new Refused(nio(), new DriverNotices(refused))),
        "GSO ");
    assertEquals(2L * refused.size(), events.count("ResourceDegraded"));
    assertEquals(refused.size(), events.count("ResourceMissing"), events.lines().toString());
  }

  /** A driver that opens the endpoints of another driver, with these notices. */
  private static final class Refused extends ForwardingDriver {
    private final DriverNotices notices;

    Refused(DriverProvider real, DriverNotices notices) {
      super(real);
      this.notices = notices;
    }

    @Override
    public Endpoint open(EndpointSettings settings) throws DriverException {
      Endpoint opened = Objects.requireNonNull(super.open(settings));
      return (Endpoint)
          Proxy.newProxyInstance(
              Endpoint.class.getClassLoader(),
              new Class<?>[] {Endpoint.class},
              (proxy, method, arguments) ->
                  method.getName().equals("notices") ? notices : invoke(opened, method, arguments));
    }
  }
}
