package io.millrace.api;

import io.millrace.config.TransportSettings;
import io.millrace.event.RecordingEvents;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** Two real nodes in this process, over real sockets on loopback. */
final class TwoNodes implements NodePair {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(100);

  static final String PSK = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

  final RecordingEvents clientEvents = new RecordingEvents(10_000);
  final RecordingEvents serverEvents = new RecordingEvents(10_000);
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
    return choices.apply(Transport.builder(settings(overrides)).events(events)).start();
  }

  static TransportSettings settings(String overrides) {
    return TransportSettings.parse(
        "millrace.handshake.psk = \"" + PSK + "\"\nmillrace.nic.driver = udp-nio\n" + overrides);
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
      Thread.onSpinWait();
    }
    return true;
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
