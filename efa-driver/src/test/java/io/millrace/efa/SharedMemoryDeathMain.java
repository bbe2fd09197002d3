package io.millrace.efa;

import io.millrace.driver.DriverException;
import io.millrace.driver.SendBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Endpoints of one process with shared memory whose peers leave in every order; a process of its
 * own, since an access to memory that is gone ends the process.
 *
 * <p>Argument: the scenario. Prints {@code done} at the end.
 */
final class SharedMemoryDeathMain {
  private static final int LENGTH = 8_000;

  private SharedMemoryDeathMain() {}

  public static void main(String[] args) throws Exception {
    for (int round = 0; round < 20; round++) {
      switch (args[0]) {
        case "unresolved" -> unresolvedSender();
        case "released" -> releasedSender();
        case "queued" -> queuedCommands();
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
    System.out.println("done");
  }

  /** The receiver has never resolved the sender that closes. */
  private static void unresolvedSender() throws DriverException {
    try (Peer receiver = Peer.open("shm")) {
      Peer sender = Peer.open("shm");
      int to = sender.resolve(receiver);
      send(sender, to);
      await(Peer.turnUntil(() -> receiver.datagrams.size() == 1, sender, receiver));
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

  /** Commands of the sender wait at the receiver, which releases the sender and then polls. */
  private static void queuedCommands() throws DriverException {
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
