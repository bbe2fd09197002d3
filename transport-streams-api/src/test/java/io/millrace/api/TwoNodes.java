package io.millrace.api;

import io.millrace.config.TransportSettings;
import io.millrace.event.RecordingEvents;
import io.millrace.event.SubscriptionOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two real nodes in this process, over real sockets on loopback. */
final class TwoNodes implements NodePair {
  /** The pause between two checks of a condition, during which the nodes have the core. */
  static final long LOOK_AGAIN_NS = 50_000;

  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(100);

  /**
   * Patient settings: a node that waits long for a core, beside other tests, must not count as
   * silent.
   */
  private static final String PATIENCE =
      """
      millrace.profile = dedicated
      millrace.recovery { probe-period = 5 s, fail-after = 20 s }
      """;

  /** A quarter of the usual memory: clearing the memory is most of the cost of a start. */
  private static final String BASE =
      """
      millrace.transfers.buffer-pool = 16 MiB
      millrace.regions.counts = [32, 24]
      """;

  static final String PSK = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

  private final RecordingEvents clientEvents = new RecordingEvents(10_000);
  private final RecordingEvents serverEvents = new RecordingEvents(10_000);
  final Transport server;
  final Transport client;

  TwoNodes(String overrides) {
    this(overrides, builder -> builder, builder -> builder);
  }

  TwoNodes(
      String overrides,
      UnaryOperator<Transport.Builder> serverChoices,
      UnaryOperator<Transport.Builder> clientChoices) {
    this(new World.Settings(overrides, overrides), serverChoices, clientChoices);
  }

  TwoNodes(
      World.Settings overrides,
      UnaryOperator<Transport.Builder> serverChoices,
      UnaryOperator<Transport.Builder> clientChoices) {
    server = start(overrides.server(), serverEvents, serverChoices);
    client = start(overrides.client(), clientEvents, clientChoices);
  }

  private static Transport start(
      String overrides, RecordingEvents events, UnaryOperator<Transport.Builder> choices) {
    return choices
        .apply(
            Transport.builder(settings(BASE + overrides))
                .events(events, SubscriptionOptions.DEFAULTS.withData()))
        .start();
  }

  /**
   * Returns settings for tests with many nodes in one process, with pools smaller than on separate
   * machines.
   */
  static TransportSettings small(String overrides) {
    return settings(
        """
        millrace.transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
        millrace.regions.counts = [4, 2]
        """
            + overrides);
  }

  /** Returns the settings of a patient node with the tests' key; overrides win. */
  static TransportSettings settings(String overrides) {
    return TransportSettings.parse(
        PATIENCE
            + "millrace.handshake { provider = psk, psk = \""
            + PSK
            + "\" }\nmillrace.nic.driver = udp-nio\n"
            + overrides);
  }

  /** Returns the events of the client until now. */
  RecordingEvents clientEvents() {
    return told(client, clientEvents);
  }

  /** Returns the events of the server until now. */
  RecordingEvents serverEvents() {
    return told(server, serverEvents);
  }

  private static RecordingEvents told(Transport node, RecordingEvents events) {
    try {
      if (!node.awaitEvents(Duration.ofNanos(LIMIT_NS))) {
        throw new IllegalStateException("a subscriber to events was not told in time");
      }
      return events;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Transport server() {
    return server;
  }

  @Override
  public Transport client() {
    return client;
  }

  @Override
  public <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT_NS, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean awaitUntil(BooleanSupplier condition) {
    long endNs = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > endNs) {
        return false;
      }
      LockSupport.parkNanos(LOOK_AGAIN_NS);
    }
    return true;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
