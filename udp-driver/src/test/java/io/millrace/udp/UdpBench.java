package io.millrace.udp;

import com.sun.management.ThreadMXBean;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.SendBuffer;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Prints what the socket drivers cost on loopback, medians of many bursts. Not a test: run its main
 * on a quiet machine. One thread sends a burst and then receives it, so that the sending figure
 * holds the kernel's delivery.
 */
public final class UdpBench {
  private static final int ROUNDS = 1_500;
  private static final int WARM_UP_ROUNDS = 1_500;
  private static final int ROUND_TRIPS = 60_000;

  private UdpBench() {}

  /** Runs every measurement over every driver there is, or over the one named. */
  public static void main(String[] args) throws Exception {
    for (DriverProvider provider : ServiceLoader.load(DriverProvider.class)) {
      if (args.length > 0 && !args[0].equals(provider.name())) {
        continue;
      }
      burst(provider, "64 B single, one peer", 1, 64, 64, 16);
      burst(provider, "64 B single, 16 peers", 16, 64, 64, 16);
      burst(provider, "1,400 B trains of 44", 1, 44 * 1_400, 1_400, 16);
      burst(provider, "1,400 B trains of 4", 1, 4 * 1_400, 1_400, 16);
      burst(provider, "8,900 B trains of 7", 1, 7 * 8_900, 8_900, 16);
      emptyPoll(provider);
      roundTrip(provider, false);
      roundTrip(provider, true);
    }
  }

  private static Endpoint open(DriverProvider provider) throws DriverException {
    return provider.open(
        EndpointSettings.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  /** Counts. */
  private static final class Tally implements CompletionHandler {
    private long datagrams;

    @Override
    public void onReceive(UnsafeBuffer buffer, int offset, int length, int ecn) {
      datagrams++;
    }
  }

  private static void burst(
      DriverProvider provider, String what, int peers, int length, int segment, int trains)
      throws DriverException {
    Endpoint[] receivers = new Endpoint[peers];
    int[] destinations = new int[peers];
    Tally tally = new Tally();
    try (Endpoint sender = open(provider)) {
      for (int i = 0; i < peers; i++) {
        receivers[i] = open(provider);
        destinations[i] = sender.resolve(receivers[i].localAddress());
      }
      int perBurst = trains * ((length + segment - 1) / segment);
      double[] sendNs = new double[ROUNDS];
      double[] receiveNs = new double[ROUNDS];
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long allocated = 0;
      long expected = 0;
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        if (round == 0) {
          allocated = threads.getCurrentThreadAllocatedBytes();
        }
        long startNs = System.nanoTime();
        for (int i = 0; i < trains; i++) {
          post(sender, destinations[i % peers], length, segment);
        }
        sender.flush();
        sender.poll(tally, 64);
        long sentNs = System.nanoTime();
        expected += perBurst;
        drain(receivers, tally, expected);
        long doneNs = System.nanoTime();
        if (round >= 0) {
          sendNs[round] = (sentNs - startNs) / (double) perBurst;
          receiveNs[round] = (doneNs - sentNs) / (double) perBurst;
        }
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
      print(provider.name() + " " + what, Math.min(segment, length), sendNs, receiveNs);
      System.out.printf(
          Locale.ROOT, "  %.2f B allocated%n", allocated / ((double) ROUNDS * perBurst));
    } finally {
      closeAll(receivers);
    }
  }

  private static void post(Endpoint sender, int destination, int length, int segment) {
    SendBuffer buffer = sender.acquireSendBuffer();
    if (buffer == null) {
      throw new IllegalStateException("no send buffer");
    }
    sender.postSend(destination, buffer, length, segment, 0);
  }

  private static void print(String what, int bytes, double[] sendNs, double[] receiveNs) {
    double send = median(sendNs);
    double receive = median(receiveNs);
    System.out.printf(
        Locale.ROOT,
        "%-33s send %7.0f ns (%5.2f GB/s)  receive %6.0f ns (%5.2f GB/s)",
        what,
        send,
        bytes / send,
        receive,
        bytes / receive);
  }

  private static void closeAll(@Nullable Endpoint[] endpoints) {
    for (Endpoint endpoint : endpoints) {
      if (endpoint != null) {
        endpoint.close();
      }
    }
  }

  private static void drain(Endpoint[] receivers, Tally tally, long expected) {
    for (int turn = 0; tally.datagrams < expected; turn++) {
      receivers[turn % receivers.length].poll(tally, 64);
      if (turn > 10_000_000) {
        throw new IllegalStateException(expected - tally.datagrams + " datagrams were lost");
      }
    }
  }

  private static void emptyPoll(DriverProvider provider) throws DriverException {
    try (Endpoint endpoint = open(provider)) {
      Tally tally = new Tally();
      double[] ns = new double[ROUNDS];
      for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        long startNs = System.nanoTime();
        for (int i = 0; i < 100; i++) {
          endpoint.poll(tally, 64);
        }
        if (round >= 0) {
          ns[round] = (System.nanoTime() - startNs) / 100.0;
        }
      }
      System.out.printf(
          Locale.ROOT, "%-8s %-24s %12.0f ns%n", provider.name(), "empty poll", median(ns));
    }
  }

  private static void roundTrip(DriverProvider provider, boolean twoThreads) throws Exception {
    try (Endpoint client = open(provider);
        Endpoint server = open(provider)) {
      int toServer = client.resolve(server.localAddress());
      int toClient = server.resolve(client.localAddress());
      Tally clientTally = new Tally();
      Tally serverTally = new Tally();
      AtomicBoolean isOver = new AtomicBoolean();
      Thread echo =
          new Thread(
              () -> {
                long seen = 0;
                while (!isOver.get()) {
                  seen = echo(server, toClient, serverTally, seen);
                }
              });
      if (twoThreads) {
        echo.start();
      }
      double[] ns = new double[ROUND_TRIPS];
      long echoed = 0;
      for (int i = -ROUND_TRIPS; i < ROUND_TRIPS; i++) {
        long startNs = System.nanoTime();
        long before = clientTally.datagrams;
        send(client, toServer, clientTally);
        while (clientTally.datagrams == before) {
          echoed = twoThreads ? 0 : echo(server, toClient, serverTally, echoed);
          client.poll(clientTally, 64);
        }
        if (i >= 0) {
          ns[i] = System.nanoTime() - startNs;
        }
      }
      isOver.set(true);
      if (twoThreads) {
        echo.join();
      }
      Arrays.sort(ns);
      System.out.printf(
          Locale.ROOT,
          "%-8s %-24s p50 %6.2f us  p99 %6.2f us%n",
          provider.name(),
          twoThreads ? "64 B RTT, two threads" : "64 B RTT, one thread",
          ns[ROUND_TRIPS / 2] / 1_000,
          ns[ROUND_TRIPS / 100 * 99] / 1_000);
    }
  }

  private static long echo(Endpoint server, int toClient, Tally tally, long seen) {
    server.poll(tally, 64);
    if (tally.datagrams > seen) {
      send(server, toClient, tally);
    }
    return tally.datagrams;
  }

  private static void send(Endpoint from, int destination, Tally tally) {
    SendBuffer buffer = from.acquireSendBuffer();
    while (buffer == null) {
      from.poll(tally, 64);
      buffer = from.acquireSendBuffer();
    }
    from.postSend(destination, buffer, 64, 64, 0);
    from.flush();
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
