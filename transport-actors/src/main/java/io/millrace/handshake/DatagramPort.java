package io.millrace.handshake;

import java.net.InetSocketAddress;
import org.agrona.DirectBuffer;

/**
 * The surroundings of a {@link HandshakeLoop}: a socket, a clock and a thread to wake. All methods
 * but {@link #wakeUp} are called on the thread that turns the loop.
 */
public interface DatagramPort {
  /**
   * Gives a datagram, if a datagram has arrived. An error that keeps a single datagram from being
   * read is as good as loss.
   *
   * @return false if no more datagrams can be waiting
   */
  boolean receive(Reception reception);

  /** Sends a datagram, or loses it; the bytes are valid during the call only. */
  void send(DirectBuffer buffer, int offset, int length, InetSocketAddress to);

  /**
   * Finds out whether the network says that nobody listens at this address; {@code onRefused} runs
   * on the loop's thread if the network says so soon. A port that cannot tell does nothing.
   *
   * @return stops to find out
   */
  default Runnable knock(InetSocketAddress to, Runnable onRefused) {
    return () -> {};
  }

  /** The time for comparison with deadlines, ns. */
  long nowNs();

  /** A command has come, so that a turn is due. Any thread. */
  void wakeUp();

  /** The listener threw an exception on a fault, and nobody else is left to be told. */
  void onUncaught(Throwable fault);

  /** Takes arrived datagrams. */
  @FunctionalInterface
  interface Reception {
    /** The bytes are valid during the call only. */
    void onDatagram(DirectBuffer buffer, int offset, int length, InetSocketAddress from);
  }
}
