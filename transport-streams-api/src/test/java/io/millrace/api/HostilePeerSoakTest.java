package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.TransportSettings;
import io.millrace.event.SubscriptionOptions;
import io.millrace.handshake.certificates.CertificateFiles;
import io.millrace.handshake.certificates.TestCertificates;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A peer with one certificate and more transports than the server has places attacks in every way
 * open to the holder of a certificate. Meanwhile an attacker on the wire forges answers about other
 * peers' paths. Honest clients, and newcomers during the attack, get their own bytes back or the
 * answer that the server is overloaded. The server's heap of 256 MiB stays flat. The test prints
 * the latency beside the latency of a first phase without the attack, and does not judge the
 * latency, which includes other work of the machine. {@code millrace.attack.seconds} sets the
 * duration of the attack, {@code millrace.attack.transports} the number of transports.
 */
@Tag("soak")
@Timeout(1_200)
class HostilePeerSoakTest {
  private static final int ATTACK_S =
      Math.max(30, Integer.getInteger("millrace.attack.seconds", 600));
  private static final int TRANSPORTS = Integer.getInteger("millrace.attack.transports", 32);
  private static final int QUIET_S = Math.clamp(ATTACK_S / 6, 10, 60);
  private static final int LOOK_S = 5;
  private static final int WARM_UP_S = 10;
  private static final int ONSET_S = 15;
  private static final int CLIENTS = 3;
  private static final double MOST_GROWTH = 1.1;
  private static final double P99 = 0.99;
  private static final long MIB = 1 << 20;

  private final TestCertificates authority = new TestCertificates("authority");
  private final List<HonestCaller> clients = new ArrayList<>();
  private final List<DropEvents> eventsOfClients = new ArrayList<>();
  private final List<PathForger> forgers = new ArrayList<>();
  private final List<FutureTask<Long>> forging = new ArrayList<>();
  private final Map<HonestCaller.Kind, List<HonestCaller.Series>> ofNewcomers =
      new EnumMap<>(HonestCaller.Kind.class);
  private final List<Long> liveBytes = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  @TempDir private Path folder;
  private NodeProcess server;
  private String address;
  private List<InetSocketAddress> workers;
  private long newcomers;
  private long faults;

  @BeforeEach
  void startServerAndClients() throws Exception {
    CertificateFiles files = certificate("server");
    server =
        NodeProcess.start(
            List.of("-XX:+ExitOnOutOfMemoryError"),
            HostileServerMain.class,
            files.authorities().toString(),
            files.certificate().toString(),
            files.privateKey().toString());
    workers =
        Arrays.stream(server.await("workers")).skip(1).map(HostilePeerSoakTest::loopback).toList();
    address = server.await("address")[1];
    for (int i = 0; i < CLIENTS; i++) {
      DropEvents events = new DropEvents();
      eventsOfClients.add(events);
      clients.add(client("client-" + i, i, events));
      clients.getLast().ask(HonestCaller.Kind.SMALL);
      clients.getLast().start();
    }
  }

  @AfterEach
  void stopAll() {
    forgers.forEach(PathForger::stop);
    clients.forEach(HonestCaller::close);
    server.close();
  }

  private static InetSocketAddress loopback(String port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
  }

  private CertificateFiles certificate(String name) throws Exception {
    return TestCertificates.write(
        folder.resolve(name), authority, authority.issue(name, "127.0.0.1"));
  }

  private HonestCaller client(String name, long number, DropEvents events) throws Exception {
    CertificateFiles files = certificate(name);
    TransportSettings settings =
        HostileServerMain.certified(
            files.authorities().toString(),
            files.certificate().toString(),
            files.privateKey().toString(),
            """
            millrace.transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
            millrace.regions.counts = [16, 4]
            """);
    return new HonestCaller(
        Transport.builder(settings).events(events, SubscriptionOptions.DEFAULTS).start(),
        address,
        number);
  }

  @Test
  void shouldAnswerHonestClientsAndKeepItsHeapUnderAttack() throws Exception {
    look(WARM_UP_S, "warm");
    clients.forEach(HonestCaller::nextPhase);
    look(QUIET_S, "quiet");
    Map<HonestCaller.Kind, List<HonestCaller.Series>> quiet = phaseOfAll();
    CertificateFiles files = certificate("attacker");
    try (NodeProcess crowd =
        NodeProcess.startNice(
            List.of("-Xmx768m"),
            HostileCrowdMain.class,
            address,
            files.authorities().toString(),
            files.certificate().toString(),
            files.privateKey().toString(),
            String.valueOf(TRANSPORTS))) {
      for (int i = 0; i < TRANSPORTS; i++) {
        crowd.await("started");
      }
      forge();
      look(ONSET_S, "onset");
      liveBytes.clear();
      look(ATTACK_S, "attack");
      long done = done();
      crowd.tell("end");
      report("plain calls of attackers: ", crowd.await("plain"));
      report("calls that break contracts: ", crowd.await("hostile"));
      report("large requests to a slow handler: ", crowd.await("floods"));
      String[] tally = crowd.await("tally");
      report("openings cancelled, answers mixed up: ", new String[] {tally[5], tally[6]});
      Map<HonestCaller.Kind, List<HonestCaller.Series>> attacked = phaseOfAll();
      stop();
      table(quiet, attacked);
      check(attacked, tally, done);
    }
  }

  private void forge() throws Exception {
    for (int i = 0; i < CLIENTS; i++) {
      PathForger forger =
          new PathForger(
              workers,
              HostilePackets.workerAddress(clients.get(i).transport()),
              eventsOfClients.get(i).firstPathId());
      FutureTask<Long> task = new FutureTask<>(forger);
      forgers.add(forger);
      forging.add(task);
      Thread.ofPlatform().daemon().name("forger-" + i).start(task);
    }
  }

  private void stop() throws Exception {
    forgers.forEach(PathForger::stop);
    long forged = 0;
    for (FutureTask<Long> task : forging) {
      forged += task.get(20, TimeUnit.SECONDS);
    }
    System.out.println("forged answers about paths of honest clients: " + forged);
    for (HonestCaller client : clients) {
      client.stop();
    }
  }

  private long done() {
    return clients.stream().mapToLong(HonestCaller::done).sum();
  }

  /** Samples all figures at intervals, and lets newcomers call, for this number of seconds. */
  private void look(int seconds, String phase) throws Exception {
    long startNs = System.nanoTime();
    long[] doneBefore = clients.stream().mapToLong(HonestCaller::done).toArray();
    for (int look = 0; look < seconds / LOOK_S; look++) {
      long untilNs = startNs + TimeUnit.SECONDS.toNanos((look + 1L) * LOOK_S);
      newcomer();
      while (System.nanoTime() - untilNs < 0) {
        LockSupport.parkNanos(untilNs - System.nanoTime());
      }
      server.tell("look");
      String[] held = server.await("holds");
      liveBytes.add(Long.parseLong(held[1]));
      faults = Long.parseLong(held[4]);
      StringBuilder done = new StringBuilder();
      for (int i = 0; i < CLIENTS; i++) {
        long now = clients.get(i).done();
        done.append(' ').append(now - doneBefore[i]);
        if (now == doneBefore[i]) {
          troubles.add("client " + i + " stood still in " + phase + ", look " + look);
        }
        doneBefore[i] = now;
      }
      System.out.printf(
          "%s %d s: server's heap %.1f MiB live, %d MiB resident, %.1f MiB of requests, %s faults"
              + " of handlers; calls done by honest clients%s%n",
          phase,
          (System.nanoTime() - startNs) / 1_000_000_000,
          (double) liveBytes.getLast() / MIB,
          Long.parseLong(held[2]) / MIB,
          Double.parseDouble(held[3]) / MIB,
          held[4],
          done);
    }
  }

  /** Checks that a client unknown to the server gets a place and its answers. */
  private void newcomer() throws Exception {
    long number = CLIENTS + newcomers++;
    try (HonestCaller newcomer = client("newcomer", number, new DropEvents())) {
      for (HonestCaller.Kind kind : HonestCaller.Kind.values()) {
        newcomer.ask(kind);
        newcomer.ask(kind);
      }
      troubles.addAll(newcomer.troubles());
      newcomer
          .nextPhase()
          .forEach(
              (kind, series) ->
                  ofNewcomers.computeIfAbsent(kind, _ -> new ArrayList<>()).add(series));
    }
  }

  private Map<HonestCaller.Kind, List<HonestCaller.Series>> phaseOfAll() {
    Map<HonestCaller.Kind, List<HonestCaller.Series>> all = new EnumMap<>(HonestCaller.Kind.class);
    for (HonestCaller client : clients) {
      client
          .nextPhase()
          .forEach((kind, series) -> all.computeIfAbsent(kind, _ -> new ArrayList<>()).add(series));
    }
    return all;
  }

  private static void report(String what, String[] words) {
    System.out.println(what + String.join(" ", words));
  }

  private void table(
      Map<HonestCaller.Kind, List<HonestCaller.Series>> quiet,
      Map<HonestCaller.Kind, List<HonestCaller.Series>> attacked) {
    for (HonestCaller.Kind kind : HonestCaller.Kind.values()) {
      double before =
          HonestCaller.Series.quantileNs(quiet.getOrDefault(kind, List.of()), P99) / 1e6;
      double during =
          HonestCaller.Series.quantileNs(attacked.getOrDefault(kind, List.of()), P99) / 1e6;
      System.out.printf(
          "%-6s p50 %.2f ms quiet, %.2f ms attacked; p99 %.2f ms quiet, %.2f ms attacked, ratio"
              + " %.2f; outcomes attacked %s; of newcomers %s%n",
          kind,
          HonestCaller.Series.quantileNs(quiet.getOrDefault(kind, List.of()), 0.5) / 1e6,
          HonestCaller.Series.quantileNs(attacked.getOrDefault(kind, List.of()), 0.5) / 1e6,
          before,
          during,
          during / before,
          outcomes(attacked.getOrDefault(kind, List.of())),
          outcomes(ofNewcomers.getOrDefault(kind, List.of())));
    }
    System.out.println("live heap, first and last third: " + third(0) + " " + third(2));
  }

  private static String outcomes(List<HonestCaller.Series> all) {
    return OutcomeTally.sum(all.stream().map(series -> series.outcomes).toList());
  }

  /** Returns the mean of the live bytes in this third of the attack. */
  private long third(int which) {
    int length = liveBytes.size() / 3;
    return (long)
        liveBytes.stream()
            .skip((long) which * length)
            .limit(length)
            .mapToLong(Long::longValue)
            .average()
            .orElseThrow();
  }

  private void check(
      Map<HonestCaller.Kind, List<HonestCaller.Series>> attacked, String[] tally, long done) {
    assertEquals(List.of(), troubles);
    clients.forEach(client -> assertEquals(List.of(), client.troubles()));
    assertEquals(0, Long.parseLong(tally[6]), "answers of attackers were mixed up");
    assertTrue(Long.parseLong(tally[5]) > 0, "no opening was cancelled");
    assertTrue(Long.parseLong(tally[7]) > 0, "the server was never overloaded");
    assertTrue(
        TRANSPORTS <= HostileServerMain.PLACES || Long.parseLong(tally[8]) > 0,
        "every attacker had a place");
    assertTrue(faults > 0, "no contract was broken");
    eventsOfClients.forEach(events -> assertEquals(List.of(), events.troubles()));
    for (HonestCaller.Kind kind : HonestCaller.Kind.values()) {
      List<HonestCaller.Series> all = new ArrayList<>(attacked.getOrDefault(kind, List.of()));
      all.addAll(ofNewcomers.getOrDefault(kind, List.of()));
      for (HonestCaller.Series series : all) {
        assertEquals(0, series.outcomes.others(), () -> kind + ": " + series.outcomes);
      }
      double hostileShare =
          kind == HonestCaller.Kind.LARGE ? share(tally[3], tally[4]) : share(tally[1], tally[2]);
      for (HonestCaller.Series series : attacked.getOrDefault(kind, List.of())) {
        assertTrue(
            series.outcomes.share() >= hostileShare,
            () -> kind + ": " + series.outcomes + ", attackers " + hostileShare);
      }
    }
    long doneByAttackers = Long.parseLong(tally[1]) + Long.parseLong(tally[3]);
    assertTrue(
        done / CLIENTS >= doneByAttackers / TRANSPORTS,
        () -> done + " calls of honest clients, " + doneByAttackers + " of attackers");
    assertTrue(third(2) <= MOST_GROWTH * third(0), () -> third(0) + " bytes, then " + third(2));
  }

  private static double share(String part, String all) {
    return Double.parseDouble(part) / Math.max(1, Double.parseDouble(all));
  }
}
