package io.millrace.handshake;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.crypto.HandshakeCredentials;
import io.millrace.crypto.HandshakeOutcome;
import io.millrace.crypto.HandshakeProviders;
import io.millrace.handshake.certificates.CertificateCredentials;
import io.millrace.handshake.certificates.PeerNames;
import io.millrace.handshake.certificates.TestCertificates;
import io.millrace.handshake.psk.PreSharedKey;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Prints how many handshakes two nodes of one process do in a second over loopback, and what CPU
 * one costs both sides together. Arguments: handshakes, how many at once.
 */
public final class HandshakeRateMain {
  private static final String HOST = "127.0.0.1";
  private static final long TIMEOUT_NS = 30_000_000_000L;

  private HandshakeRateMain() {}

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[0]);
    int atOnce = Integer.parseInt(arguments[1]);
    TestCertificates authority = new TestCertificates("authority");
    Path folder = Files.createTempDirectory("handshakes");
    for (String name : new String[] {"psk", "tls", "quic"}) {
      try (HandshakeNode server =
              new HandshakeNode(
                  HandshakeProviders.discover().named(name),
                  credentials(name, authority, folder.resolve("server")),
                  HOST,
                  TIMEOUT_NS);
          HandshakeNode client =
              new HandshakeNode(
                  HandshakeProviders.discover().named(name),
                  credentials(name, authority, folder.resolve("client")),
                  HOST,
                  TIMEOUT_NS)) {
        run(name, server, client, count, atOnce, false);
        run(name, server, client, count, atOnce, true);
      }
    }
  }

  private static HandshakeCredentials credentials(
      String name, TestCertificates authority, Path folder) throws Exception {
    return name.equals("psk")
        ? PreSharedKey.ofHex("1f".repeat(32))
        : CertificateCredentials.load(
            TestCertificates.write(folder, authority, authority.issue("node", HOST)),
            PeerNames.NONE);
  }

  private static void run(
      String name,
      HandshakeNode server,
      HandshakeNode client,
      int count,
      int atOnce,
      boolean measured)
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
    double seconds = (System.nanoTime() - startNs) / 1e9;
    double cpuUs = (system.getProcessCpuTime() - cpuNs) / 1e3 / count;
    server.paths.clear();
    if (measured) {
      System.out.printf(
          Locale.ROOT,
          "%s: %d handshakes, %d at once: %.0f a second, %.0f us of CPU each, %d failed%n",
          name,
          count,
          atOnce,
          count / seconds,
          cpuUs,
          failed.get());
    }
  }
}
