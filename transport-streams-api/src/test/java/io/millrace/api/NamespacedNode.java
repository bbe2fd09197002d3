package io.millrace.api;

import io.millrace.wire.RouteId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with a node on all NICs of its network namespace. The node answers calls. For each line
 * {@code call PEER COUNT} the node makes calls, one after the other.
 */
final class NamespacedNode {
  private static final RouteId ECHO = RouteId.of("echo");
  private static final int PAYLOAD_BYTES = 500;
  private static final long LIMIT_S = 20;

  private static final int NICS = 3;

  private NamespacedNode() {}

  /** Listens at the first argument, by the driver of the second. */
  public static void main(String[] arguments) throws Exception {
    while (nicsThatAreUp() < NICS) {
      // A link comes up a while after its making.
      LockSupport.parkNanos(TwoNodes.LOOK_AGAIN_NS);
    }
    String settings =
        """
        millrace.nics = auto
        millrace.handshake.listen = "%s"
        millrace.nic.driver = %s
        """
            .formatted(arguments[0], arguments[1]);
    try (Transport transport = Transport.start(TwoNodes.small(settings))) {
      Raw.serve(
          transport,
          ECHO,
          call -> CompletableFuture.completedFuture(UnaryResponse.of(call.payload())));
      System.out.println("listens " + transport.address());
      obey(transport);
    }
  }

  private static long nicsThatAreUp() throws SocketException {
    long up = 0;
    for (NetworkInterface nic : NetworkInterface.networkInterfaces().toList()) {
      if (nic.isUp() && nic.inetAddresses().anyMatch(Inet4Address.class::isInstance)) {
        up += nic.isLoopback() ? 0 : 1;
      }
    }
    return up;
  }

  private static void obey(Transport transport) throws IOException, InterruptedException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(" ", -1);
      System.out.println("called " + call(transport, words[1], Integer.parseInt(words[2])));
    }
  }

  /** Returns the NIC that carried most, and the outcome; or the failure. */
  private static String call(Transport transport, String peer, int count)
      throws InterruptedException {
    Map<String, Long> before = sent(transport);
    try {
      for (int i = 0; i < count; i++) {
        Raw.unary(transport.peer(peer), ECHO, new byte[PAYLOAD_BYTES])
            .get(LIMIT_S, TimeUnit.SECONDS);
      }
    } catch (ExecutionException | TimeoutException e) {
      return "nobody " + e;
    }
    Map<String, Long> after = sent(transport);
    before.forEach((nic, bytes) -> after.merge(nic, -bytes, Long::sum));
    String busiest =
        after.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return busiest + " " + after;
  }

  private static Map<String, Long> sent(Transport transport) {
    Map<String, Long> bytes = new TreeMap<>();
    for (WorkerSnapshot worker : transport.snapshot().workers()) {
      worker.nics().forEach(nic -> bytes.merge(nic.nic(), nic.bytesSent(), Long::sum));
    }
    return bytes;
  }
}
