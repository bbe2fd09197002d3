package io.millrace.efa;

import io.millrace.driver.CompletionHandler;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import io.millrace.driver.SendBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Random;

/**
 * The other process of {@link LateWriteSoakTest}: writes and writes with the key of the latest
 * message, whether or not the writes are refused, and tells the owner how many have failed.
 *
 * <p>Arguments: provider, address of the owner in hexadecimal. Prints its own address, and at the
 * end the number of writes that failed or have not ended.
 */
final class LateWriterMain {
  private static final long PATIENCE_NS = 60_000_000_000L;
  private static final int LONGEST_BYTES = 48 << 10;
  private static final int MOST_UNDER_WAY = 32;

  /** Failures for which the owner gets a message. */
  private static final int FAILURES_A_MESSAGE = 4;

  private static final long NO_KEY = -1;
  private static final long END = 0;

  private final Peer peer;
  private final int toOwner;
  private final MemoryRegion source;
  private final Random random = new Random(1);
  private long key = NO_KEY;
  private long base;
  private long nextKey = NO_KEY;
  private long nextBase;
  private int underWay;
  private long failed;
  private long toldFailed;
  private boolean isTelling;

  /** Whether a write with the key has ended well: failures before say nothing about the key. */
  private boolean isProved;

  private LateWriterMain(Peer peer, int toOwner, MemoryRegion source) {
    this.peer = peer;
    this.toOwner = toOwner;
    this.source = source;
  }

  public static void main(String[] args) throws Exception {
    try (Arena arena = Arena.ofShared();
        Peer peer = Peer.open(args[0])) {
      int toOwner = peer.resolve(HexFormat.of().parseHex(args[1]));
      MemorySegment bytes = arena.allocate(LONGEST_BYTES, 4_096).fill((byte) 0xEE);
      MemoryRegion source = peer.endpoint.remoteMemory().register(bytes, false);
      System.out.println(HexFormat.of().formatHex(peer.endpoint.localAddress().bytes()));
      LateWriterMain writer = new LateWriterMain(peer, toOwner, source);
      long startNs = System.nanoTime();
      while (!writer.isOver()) {
        if (System.nanoTime() - startNs > PATIENCE_NS) {
          throw new AssertionError("the owner never says the end");
        }
        peer.endpoint.poll(peer, 64);
      }
      System.out.println(writer.failed + writer.underWay);
    }
  }

  private boolean isOver() {
    onReports();
    if (nextKey != key && underWay == 0 && !isTelling) {
      key = nextKey;
      base = nextBase;
      isProved = false;
    }
    if (key == NO_KEY || nextKey == END) {
      return nextKey == END;
    }
    if (isProved && failed - toldFailed >= FAILURES_A_MESSAGE) {
      // alone: a connection that breaks for a late write would lose the message
      if (!isTelling && underWay == 0) {
        isTelling = true;
        tell(peer, toOwner, key, failed);
      }
    } else if (nextKey == key) {
      post();
    }
    return false;
  }

  private void onReports() {
    for (byte[] datagram : peer.datagrams) {
      ByteBuffer grant = ByteBuffer.wrap(datagram);
      nextKey = grant.getLong();
      nextBase = grant.getLong();
    }
    peer.datagrams.clear();
    for (Peer.Completion write : peer.writes) {
      underWay--;
      if (write.status() != CompletionHandler.STATUS_OK) {
        failed++;
      } else if (!isProved) {
        isProved = true;
        toldFailed = failed;
      }
    }
    peer.writes.clear();
    for (Peer.Completion send : peer.sends) {
      isTelling = false;
      toldFailed = send.status() == CompletionHandler.STATUS_OK ? failed : toldFailed;
    }
    peer.sends.clear();
    peer.unreachable.clear();
  }

  private void post() {
    boolean isTaken = true;
    while (isTaken && underWay < MOST_UNDER_WAY) {
      int length = 1 + random.nextInt(LONGEST_BYTES);
      int offset = random.nextInt(RegionHandover.REGION_BYTES - length + 1);
      RemoteWrite write = new RemoteWrite().source(source, 0, length).target(base + offset, key);
      isTaken = peer.endpoint.remoteMemory().postWrite(toOwner, write, 0);
      underWay += isTaken ? 1 : 0;
    }
  }

  /** Sends the two numbers. */
  static void tell(Peer peer, int destination, long first, long second) {
    SendBuffer buffer = Objects.requireNonNull(peer.endpoint.acquireSendBuffer());
    buffer.buffer().putLong(0, first, ByteOrder.BIG_ENDIAN);
    buffer.buffer().putLong(Long.BYTES, second, ByteOrder.BIG_ENDIAN);
    peer.endpoint.postSend(destination, buffer, 2 * Long.BYTES, 2 * Long.BYTES, 0);
    peer.endpoint.flush();
  }
}
