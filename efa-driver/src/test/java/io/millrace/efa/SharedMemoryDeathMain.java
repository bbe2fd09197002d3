package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.EndpointAddress;
import io.millrace.driver.SendBuffer;
import java.io.File;
import java.util.ArrayList;
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
  private static final int LENGTH = 8_000;

  private SharedMemoryDeathMain() {}

  public static void main(String[] args) throws Exception {
    for (String scenario : args) {
      switch (scenario) {
        case "unresolved" -> unresolvedSender();
        case "released" -> releasedSender();
        case "queued" -> queuedMessages();
        case "closed process" -> otherProcess("close");
        case "halted process" -> otherProcess("halt");
        default -> throw new IllegalArgumentException(scenario);
      }
      System.out.println("survived " + scenario);
    }
  }

  /** The receiver has never resolved the sender that closes. */
  private static void unresolvedSender() throws DriverException {
    try (Peer receiver = Peer.open("shm")) {
      Peer sender = Peer.open("shm");
      int to = sender.resolve(receiver);
      send(sender, to);
      await(Peer.turnUntil(() -> receiver.datagrams.size() == 1, sender, receiver));
      send(sender, to);
      sender.close();
      polls(receiver);
    }
  }

  /** The receiver has released the sender, which sends on and closes. */
  private static void releasedSender() throws DriverException {
    try (Peer receiver = Peer.open("shm")) {
      Peer sender = Peer.open("shm");
      int to = sender.resolve(receiver);
      int back = receiver.resolve(sender);
      send(sender, to);
      await(Peer.turnUntil(() -> receiver.datagrams.size() == 1, sender, receiver));
      receiver.endpoint.release(back);
      send(sender, to);
      await(Peer.turnUntil(() -> receiver.datagrams.size() == 2, sender, receiver));
      sender.close();
      polls(receiver);
    }
  }

  /** Messages of the sender wait at the receiver, which releases the sender and then polls. */
  private static void queuedMessages() throws DriverException {
    List<Peer> senders = new ArrayList<>();
    try (Peer receiver = Peer.open("shm")) {
      for (int i = 0; i < 3; i++) {
        Peer sender = Peer.open("shm");
        senders.add(sender);
        int to = sender.resolve(receiver);
        int back = receiver.resolve(sender);
        send(sender, to);
        int expected = 1 + i * 2;
        await(Peer.turnUntil(() -> receiver.datagrams.size() >= expected, sender, receiver));
        send(sender, to);
        sender.endpoint.poll(sender, 64);
        receiver.endpoint.release(back);
        if (i == 1) {
          sender.close();
        }
        polls(receiver);
      }
      senders.forEach(Peer::close);
    }
  }

  /** A message of another process, which has ended, waits at the receiver. */
  private static void otherProcess(String end) throws Exception {
    try (Peer receiver = Peer.open("shm")) {
      String own = HexFormat.of().formatHex(receiver.endpoint.localAddress().bytes());
      try (ChildJvm sender =
          ChildJvm.start(
              SharedMemorySenderMain.class, new File("."), List.of(), own, end)) {
        byte[] address = HexFormat.of().parseHex(Objects.requireNonNull(sender.readLine()));
        int back = receiver.endpoint.resolve(new EndpointAddress("fabric:shm", address));
        await(Peer.turnUntil(() -> receiver.datagrams.size() == 1, receiver));
        await("sent".equals(sender.readLine()) && sender.exitCode() == 0);
        receiver.endpoint.release(back);
        polls(receiver);
      }
    }
  }

  private static void send(Peer from, int destination) {
    SendBuffer buffer = from.endpoint.acquireSendBuffer();
    if (buffer != null) {
      from.endpoint.postSend(destination, buffer, LENGTH, LENGTH, 2);
    }
    from.endpoint.flush();
  }

  private static void polls(Peer peer) {
    for (int i = 0; i < 100; i++) {
      peer.endpoint.poll(peer, 64);
    }
  }

  private static void await(boolean done) {
    if (!done) {
      throw new AssertionError("the datagram did not arrive");
    }
  }
}
