package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import java.io.File;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Endpoints of one process with shared memory whose peers leave in every order; a process of its
 * own, since an access to memory that is gone ends the process.
 *
 * <p>Arguments: the scenarios. Prints {@code survived} and the scenario at the end of each.
 */
final class SharedMemoryDeathMain {
  static final int WRITE_BYTES = 1 << 20;

  private SharedMemoryDeathMain() {}

  public static void main(String[] args) throws Exception {
    for (String scenario : args) {
      switch (scenario) {
        case "unresolved" -> unresolvedSender();
        case "released" -> releasedSender();
        case "replaced" -> replacedPeer();
        case "closed" -> closedAddress();
        case "closed process" -> otherProcess("close");
        case "halted process" -> otherProcess("halt");
        default -> throw new IllegalArgumentException(scenario);
      }
      System.out.println("survived " + scenario);
    }
  }

  /** The receiver has never resolved the sender that closes. */
  private static void unresolvedSender() throws DriverException {
    try (Arena arena = Arena.ofShared();
        Peer receiver = Peer.open("shm")) {
      Peer sender = Peer.open("shm");
      leaveWrite(sender, receiver, arena);
      sender.close();
      polls(receiver);
    }
  }

  /** The receiver has released the sender, which goes on and closes. */
  private static void releasedSender() throws DriverException {
    try (Arena arena = Arena.ofShared();
        Peer receiver = Peer.open("shm")) {
      Peer sender = Peer.open("shm");
      int back = receiver.resolve(sender);
      leaveWrite(sender, receiver, arena);
      receiver.endpoint.release(back);
      polls(receiver);
      leaveWrite(sender, receiver, arena);
      sender.close();
      polls(receiver);
    }
  }

  /** The place of a released peer goes to another peer. */
  private static void replacedPeer() throws DriverException {
    try (Arena arena = Arena.ofShared();
        Peer receiver = Peer.open("shm");
        Peer sender = Peer.open("shm")) {
      for (int i = 0; i < 3; i++) {
        try (Peer other = Peer.open("shm")) {
          int toOther = sender.resolve(other);
          sender.send(toOther, 1, 10, 10, i);
          int arrived = 1;
          await(Peer.turnUntil(() -> other.datagrams.size() == arrived, sender, other));
          sender.endpoint.release(toOther);
        }
        int toReceiver = leaveWrite(sender, receiver, arena);
        sender.awaitWrite(sender.writes.size() + 1, receiver);
        sender.endpoint.release(toReceiver);
      }
    }
  }

  /** An endpoint learns the address of an endpoint that has closed. */
  private static void closedAddress() throws DriverException {
    try (Peer sender = Peer.open("shm")) {
      Peer closed = Peer.open("shm");
      closed.close();
      try {
        sender.resolve(closed);
      } catch (DriverException e) {
        return;
      }
      throw new AssertionError("an endpoint that has closed has an address");
    }
  }

  /** A write of another process, which has ended, waits at the receiver. */
  private static void otherProcess(String end) throws Exception {
    try (Arena arena = Arena.ofShared();
        Peer receiver = Peer.open("shm")) {
      MemoryRegion target =
          receiver.endpoint.remoteMemory().register(arena.allocate(WRITE_BYTES), true);
      String own = HexFormat.of().formatHex(receiver.endpoint.localAddress().bytes());
      String key = String.valueOf(target.remoteKey());
      String base = String.valueOf(target.remoteBase());
      try (ChildJvm sender =
          ChildJvm.start(
              SharedMemorySenderMain.class, new File("."), List.of(), own, key, base, end)) {
        byte[] address = HexFormat.of().parseHex(Objects.requireNonNull(sender.readLine()));
        int back = receiver.resolve(address);
        await(Peer.turnUntil(() -> receiver.datagrams.size() == 1, receiver));
        await("sent".equals(sender.readLine()) && sender.exitCode() == 0);
        receiver.endpoint.release(back);
        polls(receiver);
      }
    }
  }

  /**
   * Posts a write, which waits at the receiver until the receiver polls; returns the destination.
   */
  private static int leaveWrite(Peer from, Peer to, Arena arena) throws DriverException {
    MemoryRegion source = from.endpoint.remoteMemory().register(arena.allocate(WRITE_BYTES), false);
    MemoryRegion target = to.endpoint.remoteMemory().register(arena.allocate(WRITE_BYTES), true);
    int destination = from.resolve(to);
    int before = to.datagrams.size();
    from.send(destination, 1, 10, 10, 1);
    await(Peer.turnUntil(() -> to.datagrams.size() == before + 1, from, to));
    RemoteWrite write = Peer.write(source, WRITE_BYTES, target, 0);
    await(from.endpoint.remoteMemory().postWrite(destination, write, from.writes.size() + 1));
    return destination;
  }

  private static void polls(Peer peer) {
    for (int i = 0; i < 100; i++) {
      peer.endpoint.poll(peer, 64);
    }
  }

  private static void await(boolean done) {
    if (!done) {
      throw new AssertionError("no message arrived, or no write was taken");
    }
  }
}
