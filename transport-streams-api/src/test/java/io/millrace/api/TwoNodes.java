package io.millrace.api;

import io.millrace.config.TransportSettings;
import io.millrace.event.RecordingEvents;
import java.util.function.UnaryOperator;

/** Two real nodes in this process, over real sockets on loopback. */
final class TwoNodes implements AutoCloseable {
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
    server =
        serverChoices.apply(Transport.builder(settings(overrides)).events(serverEvents)).start();
    client =
        clientChoices.apply(Transport.builder(settings(overrides)).events(clientEvents)).start();
  }

  static TransportSettings settings(String overrides) {
    return TransportSettings.parse(
        "millrace.handshake.psk = \"" + PSK + "\"\nmillrace.nic.driver = udp-nio\n" + overrides);
  }

  Peer peer() {
    return client.peer(server.address());
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
