package io.millrace.api;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends garbage at a constant rate, by turns to a node's worker and to its handshake address: by
 * count against the clock, so the flood makes up for late datagrams. Two of three datagrams are
 * noise; the third datagram has a correct header. Runs on one thread.
 */
final class GarbageFlood implements Callable<GarbageFlood.Sent> {
  private static final int KINDS = 600;
  private static final int LONGEST_BODY = 200;
  private static final int BURST = 100;
  private static final long PAUSE_NS = 200_000;
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<ByteBuffer> forWorker = new ArrayList<>();
  private final List<ByteBuffer> forHandshake = new ArrayList<>();
  private final InetSocketAddress worker;
  private final InetSocketAddress handshake;
  private final int perSecond;
  private final int count;

  /** The result of the flood. */
  record Sent(long toWorker, long toHandshake, long elapsedNs) {
    long perSecond() {
      return Math.round((toWorker + toHandshake) * NANOS_PER_SECOND / elapsedNs);
    }
  }

  /** Creates a flood of {@code count} datagrams. */
  GarbageFlood(
      InetSocketAddress worker,
      InetSocketAddress handshake,
      long pathId,
      int perSecond,
      int count) {
    this.worker = worker;
    this.handshake = handshake;
    this.perSecond = perSecond;
    this.count = count;
    Random random = new Random(11);
    for (int i = 0; i < KINDS; i++) {
      boolean isForged = i % 3 == 0;
      byte[] noise = HostilePackets.noise(random, random.nextInt(1, LONGEST_BODY));
      // Key 0 is accepted until the path has changed keys often, a random one is not.
      int keyId = i % 2 == 0 ? 0 : random.nextInt() | 1 << 30;
      // The first packets of a path may be lost, but hardly all of the first eight.
      long packetNumber = i % 9 == 0 ? i / 9 % 8 : (1L << 40) + i;
      byte[] packet =
          HostilePackets.forged(
              random, i % 5 == 0 ? random.nextLong() : pathId, keyId, packetNumber, noise.length);
      forWorker.add(direct(isForged ? packet : noise));
      forHandshake.add(direct(isForged ? HostilePackets.forgedInit(random) : noise));
    }
  }

  private static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  /** Sends all datagrams. */
  @Override
  public Sent call() throws IOException {
    try (DatagramChannel toWorker = DatagramChannel.open().connect(worker);
        DatagramChannel toHandshake = DatagramChannel.open().connect(handshake)) {
      long startNs = System.nanoTime();
      int sent = 0;
      while (sent < count) {
        double due = (System.nanoTime() - startNs) * (perSecond / NANOS_PER_SECOND);
        int burst = Math.min(Math.min(BURST, count - sent), (int) (due - sent));
        for (int i = 0; i < burst; i++) {
          send(toWorker, forWorker.get((sent + i) / 2 % KINDS), (sent + i) % 2 == 0);
          send(toHandshake, forHandshake.get((sent + i) / 2 % KINDS), (sent + i) % 2 != 0);
        }
        sent += Math.max(0, burst);
        if (burst < BURST) {
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
      return new Sent((count + 1) / 2, count / 2, System.nanoTime() - startNs);
    }
  }

  private static void send(DatagramChannel channel, ByteBuffer datagram, boolean isItsTurn)
      throws IOException {
    if (isItsTurn) {
      channel.write(datagram);
      datagram.rewind();
    }
  }
}
