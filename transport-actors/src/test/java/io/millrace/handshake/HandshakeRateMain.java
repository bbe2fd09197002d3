package io.millrace.handshake;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeLimits;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeProviders;
import io.millrace.crypto.kem.PostQuantum;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import io.millrace.handshake.psk.PreSharedKey;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Prints the duration of a handshake between two nodes of a process over loopback, and the CPU time
 * of both sides together: the least value and the median. Rounds with ML-KEM-768 and rounds without
 * alternate. The first quarter warms up. Arguments: handshakes of a round, how many at once.
 */
public final class HandshakeRateMain {
  private static final String HOST = "127.0.0.1";
  private static final List<Kind> KINDS =
      List.of(
          new Kind("psk", PostQuantum.OFF),
          new Kind("tls", PostQuantum.OFF),
          new Kind("tls", PostQuantum.ON),
          new Kind("quic", PostQuantum.OFF),
          new Kind("quic", PostQuantum.ON));
  private static final int ROUNDS = 60;
  private static final int WARM_UP = 15;
  private static final long TIMEOUT_NS = 30_000_000_000L;

  private HandshakeRateMain() {}

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[0]);
    int atOnce = Integer.parseInt(arguments[1]);
    TestCertificates authority = new TestCertificates("authority");
    Path folder = Files.createTempDirectory("handshakes");
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    Map<Kind, HandshakeNode> servers = new LinkedHashMap<>();
    Map<Kind, HandshakeNode> clients = new LinkedHashMap<>();
    for (Kind kind : KINDS) {
      servers.put(kind, node(kind, authority, folder.resolve("server")));
      clients.put(kind, node(kind, authority, folder.resolve("client")));
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Kind kind : KINDS) {
        Cost cost =
            run(
                Objects.requireNonNull(servers.get(kind)),
                Objects.requireNonNull(clients.get(kind)),
                count,
                atOnce);
        if (round >= WARM_UP) {
          costs.computeIfAbsent(kind.title(), _ -> new ArrayList<>()).add(cost);
        }
      }
    }
    servers.values().forEach(HandshakeNode::close);
    clients.values().forEach(HandshakeNode::close);
    costs.forEach((title, all) -> print(title, all, count, atOnce));
  }

  private record Kind(String provider, PostQuantum policy) {
    String title() {
      return provider + (policy == PostQuantum.ON ? " with ML-KEM-768" : "");
    }
  }

  /** The cost of a handshake, ms. */
  private record Cost(double ms, double cpuMs, int failed) {}

  private static void print(String title, List<Cost> all, int count, int atOnce) {
    double[] ms = all.stream().mapToDouble(Cost::ms).sorted().toArray();
    double[] cpuMs = all.stream().mapToDouble(Cost::cpuMs).sorted().toArray();
    System.out.printf(
        Locale.ROOT,
        "%s: %d times %d handshakes, %d at once; each: %.2f ms, median %.2f; of CPU %.2f ms, median"
            + " %.2f; %d failed%n",
        title,
        all.size(),
        count,
        atOnce,
        ms[0],
        ms[ms.length / 2],
        cpuMs[0],
        cpuMs[cpuMs.length / 2],
        all.stream().mapToInt(Cost::failed).sum());
  }

  private static HandshakeNode node(Kind kind, TestCertificates authority, Path folder)
      throws Exception {
    return new HandshakeNode(
        HandshakeProviders.discover().named(kind.provider()),
        credentials(kind.provider(), authority, folder),
        HOST,
        TIMEOUT_NS,
        HandshakeLimits.DEFAULT,
        kind.policy());
  }

  private static HandshakeCredentials credentials(
      String name, TestCertificates authority, Path folder) throws Exception {
    return name.equals("psk")
        ? PreSharedKey.ofHex("1f".repeat(32))
        : CertificateCredentials.load(
            TestCertificates.write(folder, authority, authority.issue("node", HOST)),
            PeerNames.NONE);
  }

  private static Cost run(HandshakeNode server, HandshakeNode client, int count, int atOnce)
      throws InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    Semaphore room = new Semaphore(atOnce);
    CountDownLatch done = new CountDownLatch(count);
    AtomicInteger failed = new AtomicInteger();
    long cpuNs = system.getProcessCpuTime();
    long startNs = System.nanoTime();
    for (int i = 0; i < count; i++) {
      room.acquire();
      client
          .handshaker()
          .connect(
              server.address(),
              client.advert(),
              outcome -> {
                if (outcome instanceof HandshakeOutcome.Failed reason) {
                  failed.incrementAndGet();
                  System.out.println(reason);
                }
                room.release();
                done.countDown();
              });
    }
    done.await();
    double ms = (System.nanoTime() - startNs) / 1e6 * atOnce / count;
    double cpuMs = (system.getProcessCpuTime() - cpuNs) / 1e6 / count;
    server.paths.clear();
    return new Cost(ms, cpuMs, failed.get());
  }
}
