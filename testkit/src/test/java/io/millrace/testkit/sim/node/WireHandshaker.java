package io.millrace.testkit.sim.node;

import io.millrace.crypto.HandshakeFailure;
import io.millrace.crypto.HandshakeListener;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.Handshaker;
import io.millrace.crypto.PathSecret;
import io.millrace.testkit.sim.core.Simulation;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Lets nodes believe each other after one round trip. */
final class WireHandshaker implements Handshaker {
  private static final int PORT = 7000;
  private static final long NO_ANSWER_NS = 100_000_000;

  private final WireNetwork network;
  private final int node;
  private final HandshakeListener listener;
  private long attempts;

  WireHandshaker(WireNetwork network, int node, HandshakeListener listener) {
    this.network = network;
    this.node = node;
    this.listener = listener;
    network.add(node, this);
  }

  static InetSocketAddress addressOf(int node) {
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) (node + 1)}), PORT);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public InetSocketAddress localAddress() {
    return addressOf(node);
  }

  @Override
  public void connect(InetSocketAddress remote, byte[] advert, Consumer<HandshakeOutcome> outcome) {
    Simulation simulation = network.simulation();
    int to = remote.getAddress().getAddress()[3] - 1;
    byte[] secret = new byte[PathSecret.LENGTH];
    long draw =
        simulation.draws("wire.secret").draw(node * 256L + to, ++attempts + simulation.nowNs());
    ByteBuffer.wrap(secret).putLong(draw);
    simulation.at(
        simulation.nowNs() + 2 * WireNetwork.DELAY_NS,
        () -> answer(network.handshaker(to), to, advert, secret, outcome));
  }

  private void answer(
      @org.jspecify.annotations.Nullable WireHandshaker peer,
      int to,
      byte[] advert,
      byte[] secret,
      Consumer<HandshakeOutcome> outcome) {
    if (peer == null || peer.listener.refusal() != null) {
      network
          .simulation()
          .at(
              network.simulation().nowNs() + NO_ANSWER_NS,
              () ->
                  outcome.accept(
                      new HandshakeOutcome.Failed("nobody", HandshakeFailure.NO_ANSWER)));
      return;
    }
    byte[] answer = peer.listener.advert();
    long rttNs = 2 * WireNetwork.DELAY_NS;
    peer.listener.onEstablished(
        new HandshakeOutcome.Established(
            new PathSecret(secret), false, answer, advert, identity(node), rttNs));
    outcome.accept(
        new HandshakeOutcome.Established(
            new PathSecret(secret), true, advert, answer, identity(to), rttNs));
  }

  static String identity(int node) {
    return "10.0.0." + (node + 1) + ":" + PORT;
  }

  @Override
  public int maxAdvertBytes() {
    return 1024;
  }

  @Override
  public void close() {
    network.removeHandshaker(node);
  }
}
