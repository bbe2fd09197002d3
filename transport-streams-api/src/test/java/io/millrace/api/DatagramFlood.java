package io.millrace.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the same datagrams over and over to one address, at a constant rate: by count against the
 * clock, so the flood makes up for late datagrams. The flood does not learn whether a socket
 * listens at the address. Runs on one thread.
 */
final class DatagramFlood implements Callable<DatagramFlood.Sent> {
  private static final int BURST = 100;
  private static final long PAUSE_NS = 200_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<ByteBuffer> datagrams = new ArrayList<>();
  private final int perSecond;
  private final long most;
  private volatile InetSocketAddress to;
  private volatile boolean stopped;

  /** The result of the flood. */
  record Sent(long count, long elapsedNs) {
    long perSecond() {
      return Math.round(count * NANOS_PER_SECOND / elapsedNs);
    }
  }

  /** Creates a flood of {@code most} datagrams, unless the test stops the flood before. */
  DatagramFlood(InetSocketAddress to, List<byte[]> datagrams, int perSecond, long most) {
    this.to = to;
    this.perSecond = perSecond;
    this.most = most;
    for (byte[] datagram : datagrams) {
      this.datagrams.add(ByteBuffer.allocateDirect(datagram.length).put(datagram).flip());
    }
  }

  /** Sends to this address from now on. Any thread. */
  void turnTo(InetSocketAddress next) {
    to = next;
  }

  /** Ends the flood. Any thread. */
  void stop() {
    stopped = true;
  }

  /** Sends all datagrams. */
  @Override
  public Sent call() throws IOException {
    try (DatagramChannel channel = DatagramChannel.open()) {
      long startNs = System.nanoTime();
      long sent = 0;
      while (sent < most && !stopped) {
        double due = (System.nanoTime() - startNs) * (perSecond / NANOS_PER_SECOND);
        long burst = Math.min(Math.min(BURST, most - sent), (long) (due - sent));
        for (long end = sent + burst; sent < end; sent++) {
          ByteBuffer datagram = datagrams.get((int) (sent % datagrams.size()));
          channel.send(datagram, to);
          datagram.rewind();
        }
        if (burst < BURST) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
      return new Sent(sent, System.nanoTime() - startNs);
    }
  }
}
