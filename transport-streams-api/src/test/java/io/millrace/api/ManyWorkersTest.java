package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.testkit.Repetitions;
import io.millrace.wire.RouteId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes with several workers: the workers share the peers, and each peer stays on one worker. */
@Timeout(120)
class ManyWorkersTest {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int NODES = 10;
  private static final int CALLS = 200;
  private static final int STARTS = Repetitions.times(30);

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void shouldServeManyPeersBehindOneIdentityEachOnOneWorker(int workers) throws Exception {
    Map<String, Set<String>> threadsOfPeer = new ConcurrentHashMap<>();
    List<Transport> clients = new ArrayList<>();
    try (Transport server = start(workers)) {
      Raw.serveOnWorker(
          server,
          ECHO,
          call -> {
            note(threadsOfPeer, call.peer());
            call.reply(call.buffer(), call.payloadOffset(), call.payloadLength());
          });
      try {
        for (int i = 0; i < NODES; i++) {
          Transport client = start(1);
          clients.add(client);
          // Connect one after the other, so each peer gets the worker with the fewest peers.
          client.peer(server.address()).connect().get(20, TimeUnit.SECONDS);
          Raw.unary(client.peer(server.address()), ECHO, new byte[1]).get(20, TimeUnit.SECONDS);
        }
        callAll(clients.stream().map(client -> client.peer(server.address())).toList());
      } finally {
        clients.forEach(Transport::close);
      }
      assertEquals(NODES, threadsOfPeer.size());
      Set<String> threads = new TreeSet<>();
      threadsOfPeer.forEach(
          (peer, ofPeer) -> {
            assertEquals(1, ofPeer.size(), () -> peer + " was served on " + ofPeer);
            threads.addAll(ofPeer);
          });
      assertEquals(workers, threads.size(), threads::toString);
      List<Long> served =
          server.snapshot().workers().stream()
              .map(worker -> worker.transfers().requestsServed())
              .toList();
      assertEquals(workers, served.stream().filter(count -> count > 0).count(), served::toString);
      assertEquals((long) NODES * (CALLS + 1), served.stream().mapToLong(Long::longValue).sum());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void shouldCallManyPeersEachFromOneWorker(int workers) throws Exception {
    Map<String, Set<String>> threadsOfPeer = new ConcurrentHashMap<>();
    List<Transport> servers = new ArrayList<>();
    try (Transport client = start(workers)) {
      try {
        for (int i = 0; i < NODES; i++) {
          Transport server = start(1);
          servers.add(server);
          Raw.serveOnWorker(server, ECHO, call -> call.reply(0, 1));
        }
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < NODES * CALLS; i++) {
          CompletableFuture<Boolean> answer = new CompletableFuture<>();
          answers.add(answer);
          Peer peer = client.peer(servers.get(i % NODES).address());
          Raw.unary(
              peer,
              UnaryRequest.of(ECHO, number(i)),
              noting(threadsOfPeer, peer.address(), answer));
        }
        for (CompletableFuture<Boolean> answer : answers) {
          assertTrue(answer.get(20, TimeUnit.SECONDS));
        }
      } finally {
        servers.forEach(Transport::close);
      }
      Set<String> threads = new TreeSet<>();
      threadsOfPeer.forEach(
          (peer, ofPeer) -> {
            assertEquals(1, ofPeer.size(), () -> peer + " was called from " + ofPeer);
            threads.addAll(ofPeer);
          });
      assertTrue(threads.size() > 1, threads::toString);
      assertEquals(
          (long) NODES * CALLS,
          client.snapshot().workers().stream()
              .mapToLong(worker -> worker.transfers().responsesReceived())
              .sum());
    }
  }

  @Test
  void shouldCallEachOtherWhicheverWorkersTheyGaveEachOther() throws Exception {
    List<Transport> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        Transport node = start(4);
        Raw.serveOnWorker(
            node,
            ECHO,
            call -> call.reply(call.buffer(), call.payloadOffset(), call.payloadLength()));
        nodes.add(node);
      }
      List<Peer> peers = new ArrayList<>();
      for (Transport from : nodes) {
        nodes.stream().filter(to -> to != from).forEach(to -> peers.add(from.peer(to.address())));
      }
      callAll(peers);
    } finally {
      nodes.forEach(Transport::close);
    }
  }

  @Test
  void shouldLeaveNothingBehindWhenItIsStartedAndClosedManyTimes() throws Exception {
    start(2).close();
    Set<Thread> before = threads();
    long filesBefore = openFiles();
    for (int i = 0; i < STARTS; i++) {
      try (Transport node = start(2)) {
        assertEquals(2, node.snapshot().workers().size());
      }
    }
    // Other tests may open files meanwhile; one open file left by each start would make twice this
    // number.
    assertTrue(openFiles() - filesBefore < STARTS / 2, "files stay open");
    Set<Thread> left = threads();
    left.removeAll(before);
    for (Thread thread : left) {
      thread.join(20_000);
      assertTrue(!thread.isAlive(), () -> "still there: " + thread);
    }
  }

  private static Transport start(int workers) {
    return Transport.start(TwoNodes.small("millrace.workers.count = " + workers));
  }

  private static long openFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getOpenFileDescriptorCount()
        : 0;
  }

  private static Set<Thread> threads() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("millrace")) {
        threads.add(thread);
      }
    }
    return threads;
  }

  private static void callAll(List<Peer> peers) throws Exception {
    List<CompletableFuture<UnaryResponse>> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      for (Peer peer : peers) {
        calls.add(Raw.unary(peer, ECHO, number(i)));
      }
    }
    for (CompletableFuture<UnaryResponse> call : calls) {
      assertEquals(Integer.BYTES, call.get(20, TimeUnit.SECONDS).payload().length);
    }
  }

  private static byte[] number(int i) {
    return new byte[] {(byte) i, (byte) (i >>> 8), 0, 0};
  }

  private static void note(Map<String, Set<String>> threadsOfPeer, String peer) {
    threadsOfPeer
        .computeIfAbsent(peer, key -> new ConcurrentSkipListSet<>())
        .add(Thread.currentThread().getName());
  }

  private static WorkerCompletion noting(
      Map<String, Set<String>> threadsOfPeer, String peer, CompletableFuture<Boolean> answer) {
    return new WorkerCompletion() {
      @Override
      public void onResponse(DirectBuffer buffer, int payloadOffset, int payloadLength) {
        note(threadsOfPeer, peer);
        answer.complete(payloadLength == 1);
      }

      @Override
      public void onFailure(CallException failure) {
        answer.completeExceptionally(failure);
      }
    };
  }
}
