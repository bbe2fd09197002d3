package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.api.bulk.BulkSource;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.ends.LaneTask;
import io.millrace.engine.DriverChoice;
import io.millrace.engine.NodeEnvironment;
import io.millrace.node.TransportException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A thread interrupted while starting or closing a node, or before. */
@Timeout(60)
class InterruptedStartTest {
  /**
   * The thread that watches dropped objects belongs to the process, and outlives the node that
   * started the thread.
   */
  private static final String OF_PROCESS = "millrace-drops";

  /** Without this reset the interrupt flag would reach the next test. */
  @AfterEach
  void clearInterrupt() {
    var _ = Thread.interrupted();
  }

  /**
   * A driver that interrupts a thread when the worker opens its endpoint, and optionally fails
   * then.
   */
  private record Interrupting(DriverProvider real, Thread starter, boolean fails)
      implements DriverProvider {
    @Override
    public String name() {
      return real.name();
    }

    @Override
    public String family() {
      return real.family();
    }

    @Override
    public int preference() {
      return real.preference();
    }

    @Override
    public DriverAvailability probe() {
      return real.probe();
    }

    @Override
    public Endpoint open(EndpointSettings settings) throws DriverException {
      starter.interrupt();
      if (fails) {
        throw new DriverException("no endpoint today");
      }
      return real.open(settings);
    }
  }

  private static Interrupting interrupting(boolean fails) {
    DriverProvider nio =
        DriverChoice.discover().stream()
            .filter(driver -> driver.name().equals("udp-nio"))
            .findFirst()
            .orElseThrow();
    return new Interrupting(nio, Thread.currentThread(), fails);
  }

  @Test
  void shouldNotStartOnAnInterruptedThread() {
    Set<String> before = threads();
    TransportSettings settings = TwoNodes.small("");
    Thread.currentThread().interrupt();
    TransportException refusal =
        assertThrows(TransportException.class, () -> Transport.start(settings).close());
    assertEquals("a thread that is interrupted cannot start a node", refusal.getMessage());
    assertTrue(Thread.currentThread().isInterrupted());
    assertEquals(before, threads());
  }

  @Test
  void shouldLeaveNothingOfAStartThatIsInterrupted() throws Exception {
    Set<String> before = threads();
    InetSocketAddress listen = freeAddress();
    TransportSettings settings = TwoNodes.small(listen(listen));
    Transport.Builder builder = Transport.builder(settings).driver(interrupting(false));
    TransportException refusal =
        assertThrows(TransportException.class, () -> builder.start().close());
    assertEquals(
        "the thread that started the node was interrupted meanwhile", refusal.getMessage());
    assertTrue(Thread.currentThread().isInterrupted());
    assertEquals(before, threads());
    new DatagramSocket(listen).close();
  }

  @Test
  void shouldTellWhyAnInterruptedStartFailed() {
    Set<String> before = threads();
    Transport.Builder builder = Transport.builder(TwoNodes.small("")).driver(interrupting(true));
    TransportException refusal =
        assertThrows(TransportException.class, () -> builder.start().close());
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("no endpoint today"), refusal.getMessage());
    assertTrue(Thread.currentThread().isInterrupted());
    assertEquals(before, threads());
  }

  @Test
  void shouldCloseOnAnInterruptedThread() throws Exception {
    Set<String> before = threads();
    InetSocketAddress listen = freeAddress();
    Transport node = Transport.start(TwoNodes.small(listen(listen)));
    Thread.currentThread().interrupt();
    node.close();
    assertTrue(Thread.interrupted());
    assertEquals(before, threads());
    new DatagramSocket(listen).close();
  }

  /** The task ends when the closing thread waits for it, or has not waited. */
  @Test
  void shouldWaitForRunningTasksOnAnInterruptedThread() {
    Thread closer = Thread.currentThread();
    CompletableFuture<Boolean> running = new CompletableFuture<>();
    AtomicBoolean isClosed = new AtomicBoolean();
    CompletableFuture<Boolean> isClosedFirst = new CompletableFuture<>();
    NodeExecutors executors =
        NodeExecutors.of(null, 1, NodeEnvironment.PROCESS, TwoNodes.small("").limits());
    executors
        .lane()
        .give(
            new LaneTask() {
              @Override
              public void run() {
                running.complete(true);
                while (closer.getState() != Thread.State.TIMED_WAITING && !isClosed.get()) {
                  Thread.onSpinWait();
                }
                isClosedFirst.complete(isClosed.get());
              }

              @Override
              public void onRejected() {
                running.complete(false);
              }
            });
    assertTrue(running.join());
    closer.interrupt();
    executors.close();
    assertTrue(Thread.interrupted());
    isClosed.set(true);
    assertFalse(isClosedFirst.join());
  }

  @Test
  void shouldSayThatTheThreadThatOpensAFileIsInterrupted(@TempDir Path directory)
      throws IOException {
    Path file = Files.writeString(directory.resolve("f"), "x");
    Thread.currentThread().interrupt();
    IOException refusal = assertThrows(IOException.class, () -> BulkSource.file(file).close());
    assertEquals("cannot read " + file + ": the thread was interrupted", refusal.getMessage());
    assertTrue(Thread.currentThread().isInterrupted());
  }

  private static String listen(InetSocketAddress address) {
    return "millrace.handshake.listen = \"127.0.0.1:" + address.getPort() + "\"\n";
  }

  private static InetSocketAddress freeAddress() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }
  }

  /** Returns the threads of nodes, after a moment for ending threads. */
  private static Set<String> threads() {
    long limitNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    Set<String> present = nodeThreads();
    while (!present.isEmpty() && System.nanoTime() - limitNs < 0) {
      Thread.onSpinWait();
      present = nodeThreads();
    }
    return present;
  }

  private static Set<String> nodeThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("millrace-") && !name.equals(OF_PROCESS))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
