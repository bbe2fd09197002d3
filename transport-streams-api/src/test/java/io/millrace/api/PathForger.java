package io.millrace.api;

import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;

/**
 * Tells both ends of a path that the other end does not know the path. The forger asks each worker
 * of a node about the path and about a path that no node has. It passes the answers on unchanged,
 * and also as answers about the path; rule U-2. Runs on one thread.
 */
final class PathForger implements Callable<Long> {
  private static final long NO_PATH = 77;
  private static final int PAUSE_MS = 5;
  private static final int BODY_BYTES = 64;

  private final List<InetSocketAddress> workers;
  private final InetSocketAddress client;
  private final long pathId;
  private final Random random = new Random(9);
  private long packetNumber = 1L << 40;
  private long forged;
  private volatile boolean stopped;

  PathForger(List<InetSocketAddress> workers, InetSocketAddress client, long pathId) {
    this.workers = workers;
    this.client = client;
    this.pathId = pathId;
  }

  /** Ends the forger. Any thread. */
  void stop() {
    stopped = true;
  }

  /** Forges until the stop; returns the number of forged answers. */
  @Override
  public Long call() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(PAUSE_MS);
      while (!stopped) {
        for (InetSocketAddress worker : workers) {
          send(socket, worker, packet(pathId));
          send(socket, worker, packet(NO_PATH));
          send(socket, worker, unknown(packetNumber, random.nextLong()));
        }
        send(socket, client, unknown(packetNumber, random.nextLong()));
        passOn(socket);
      }
      return forged;
    }
  }

  private byte[] packet(long path) {
    return HostilePackets.forged(random, path, 0, packetNumber++, BODY_BYTES);
  }

  private byte[] unknown(long number, long proof) {
    forged++;
    byte[] bytes = new byte[PacketHeader.UNKNOWN_LENGTH];
    PacketHeader.encodeUnknown(new SegmentBuffer(bytes), 0, pathId, number, proof);
    return bytes;
  }

  /** Passes answers on until no answer comes for a while. */
  private void passOn(DatagramSocket socket) throws IOException {
    byte[] bytes = new byte[2 * PacketHeader.UNKNOWN_LENGTH];
    while (!stopped) {
      DatagramPacket answer = new DatagramPacket(bytes, bytes.length);
      try {
        socket.receive(answer);
      } catch (SocketTimeoutException e) {
        return;
      }
      SegmentBuffer read = new SegmentBuffer(bytes, 0, answer.getLength());
      if (PacketHeader.isUnknown(read, 0, answer.getLength())) {
        byte[] about =
            unknown(PacketHeader.packetNumber(read, 0), PacketHeader.unknownProof(read, 0));
        send(socket, client, about);
        for (InetSocketAddress worker : workers) {
          send(socket, worker, about);
        }
        socket.send(new DatagramPacket(bytes, answer.getLength(), client));
      }
    }
  }

  private static void send(DatagramSocket socket, InetSocketAddress to, byte[] bytes)
      throws IOException {
    socket.send(new DatagramPacket(bytes, bytes.length, to));
  }
}
