package io.millrace.efa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.driver.DriverException;
import io.millrace.driver.SendBuffer;
import io.millrace.testkit.driver.NeedsDriver;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Endpoints of one process with shared memory, closed in every order. The provider shm lets each
 * endpoint use the other endpoint's memory like its own, and a use after the unmapping ends the
 * process.
 */
@Timeout(60)
class SharedMemoryCloseTest {
  private static final int LENGTH = 1_000;

  @Test
  @NeedsDriver("fabric:shm")
  void shouldSurvivePostsToAPeerThatHasClosed() throws DriverException {
    try (Peer left = Peer.open("shm")) {
      Peer right = Peer.open("shm");
      int toRight = connect(left, right);
      right.close();
      post(left, toRight);
      left.endpoint.release(toRight);
    }
  }

  @Test
  @NeedsDriver("fabric:shm")
  void shouldCloseManyPeersOfOneProcessInAnyOrder() throws Exception {
    List<Peer> peers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      peers.add(Peer.open("shm"));
    }
    for (Peer each : peers) {
      for (Peer other : peers) {
        if (each != other) {
          connect(each, other);
        }
      }
    }
    List<Thread> closers = new ArrayList<>();
    for (Peer each : peers) {
      closers.add(Thread.ofPlatform().start(() -> postAndClose(each)));
    }
    for (Thread closer : closers) {
      closer.join();
    }
  }

  private static void postAndClose(Peer peer) {
    for (int round = 0; round < 20; round++) {
      for (int destination = 0; destination < 5; destination++) {
        post(peer, destination);
      }
    }
    peer.close();
  }

  private static int connect(Peer from, Peer to) throws DriverException {
    int destination = from.resolve(to);
    int before = to.datagrams.size();
    from.send(destination, 1, LENGTH, LENGTH, 1);
    assertTrue(Peer.turnUntil(() -> to.datagrams.size() == before + 1, from, to));
    assertEquals(LENGTH, to.datagrams.getLast().length);
    return destination;
  }

  private static void post(Peer from, int destination) {
    SendBuffer buffer = from.endpoint.acquireSendBuffer();
    if (buffer != null) {
      from.endpoint.postSend(destination, buffer, LENGTH, LENGTH, 2);
    }
    from.endpoint.flush();
    from.endpoint.poll(from, 64);
  }
}
