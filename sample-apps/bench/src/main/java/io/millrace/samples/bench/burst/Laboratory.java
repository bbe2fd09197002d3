package io.millrace.samples.bench.burst;

import io.millrace.samples.bench.burst.link.PacketLoss;
import io.millrace.samples.bench.burst.link.QueueSampler;
import io.millrace.samples.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Three network namespaces of this process alone, joined by two links: senders, router, receiver.
 * The bottleneck is on the router, towards the receiver, so that no sender sees the queue. Closing
 * removes namespaces and links.
 */
final class Laboratory implements AutoCloseable {
  /** The senders' address. */
  static final String SENDERS_HOST = "10.77.1.2";

  /** The receiver's address. */
  static final String RECEIVER_HOST = "10.77.2.2";

  private static final int OPEN_FILES = 65_536;
  private static final int BUCKET_PACKETS = 2;
  private static final String DEVICE = "out";

  private final String name;
  private final BurstOptions options;
  private final Thread onExit = new Thread(this::remove, "burst-remove");
  private boolean isRemoved;

  private Laboratory(BurstOptions options) {
    this.options = options;
    name = "mrburst" + ProcessHandle.current().pid();
  }

  /** Builds the laboratory; a failure removes the parts that were built. */
  static Laboratory open(BurstOptions options) throws IOException, InterruptedException {
    Laboratory laboratory = new Laboratory(options);
    Runtime.getRuntime().addShutdownHook(laboratory.onExit);
    try {
      laboratory.build();
      return laboratory;
    } catch (IOException | InterruptedException | RuntimeException e) {
      laboratory.close();
      throw e;
    }
  }

  /**
   * The first missing prerequisite of a laboratory on this host, in one line; empty if the host has
   * every prerequisite.
   */
  static String missing() {
    if (!Files.isDirectory(Path.of("/proc/self/ns"))) {
      return "bench burst needs Linux with network namespaces";
    }
    if (!"root".equals(System.getProperty("user.name"))) {
      return "bench burst needs root, to make network namespaces";
    }
    try {
      Shell.run("tc -V");
      Shell.run("ip -V");
      return "";
    } catch (IOException e) {
      return "bench burst needs the commands ip and tc: install iproute2";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "bench burst: interrupted";
    }
  }

  private void build() throws IOException, InterruptedException {
    for (String namespace : namespaces()) {
      ip("netns add " + namespace);
      ip("-n " + namespace + " link set lo up");
    }
    join(senders(), "s0", SENDERS_HOST, "in", "10.77.1.1");
    join(receiver(), "r0", RECEIVER_HOST, DEVICE, "10.77.2.1");
    write(router(), "net/ipv4/ip_forward", "1");
    for (String end : List.of(senders(), receiver())) {
      write(end, "net/core/somaxconn", "65535");
      write(end, "net/ipv4/tcp_max_syn_backlog", "65535");
      write(end, "net/ipv4/ip_local_port_range", "1024 65535");
      write(end, "net/ipv4/tcp_tw_reuse", "1");
    }
    if (options.lossPercent > 0) {
      PacketLoss.prepare();
      changeLoss(options.lossPercent);
    }
  }

  /** A link between an end and the router, without segmentation offload at either side. */
  private void join(String end, String device, String host, String routerDevice, String gateway)
      throws IOException, InterruptedException {
    ip(
        "-n %s link add %s mtu %d gso_max_segs 1 type veth peer name %s mtu %d netns %s"
            .formatted(end, device, options.mtu, routerDevice, options.mtu, router()));
    ip("-n " + router() + " link set " + routerDevice + " gso_max_segs 1");
    ip("-n " + end + " addr add " + host + "/24 dev " + device);
    ip("-n " + router() + " addr add " + gateway + "/24 dev " + routerDevice);
    ip("-n " + end + " link set " + device + " up");
    ip("-n " + router() + " link set " + routerDevice + " up");
    // The system's default may be another.
    ip("-n " + end + " route add default via " + gateway + " congctl cubic");
  }

  /** Installs a new token bucket, full, with all counters at zero. */
  void resetBottleneck() throws IOException, InterruptedException {
    try {
      Shell.run("tc -n " + router() + " qdisc del dev " + DEVICE + " root");
    } catch (IOException e) {
      // The device had no token bucket.
    }
    tokenBucket("add", options.rate);
  }

  /** Changes the rate while packets wait. */
  void changeRate(long bitsPerSecond) throws IOException, InterruptedException {
    tokenBucket("change", bitsPerSecond);
  }

  /** Drops another share of packets at random, ahead of the queue, while packets wait. */
  void changeLoss(double percent) throws IOException, InterruptedException {
    PacketLoss.set(router(), DEVICE, percent);
  }

  private void tokenBucket(String verb, long bitsPerSecond)
      throws IOException, InterruptedException {
    Shell.run(
        "tc -n %s qdisc %s dev %s root tbf rate %dbit burst %d limit %d"
            .formatted(
                router(),
                verb,
                DEVICE,
                bitsPerSecond,
                BUCKET_PACKETS * options.link().fullPacketBytes(),
                options.queueBytes));
  }

  /** Samples the bottleneck. */
  QueueSampler startSampler() throws IOException {
    return QueueSampler.start(router(), DEVICE);
  }

  /** The prefix of a command that runs at the receiver or at the senders. */
  List<String> commandPrefix(boolean atReceiver) {
    // Where the system does not allow so many open files, as many as allowed.
    String raise =
        "ulimit -n %d 2>/dev/null || ulimit -n $(ulimit -H -n); exec \"$@\"".formatted(OPEN_FILES);
    List<String> prefix = new ArrayList<>(List.of("sh", "-c", raise, "sh"));
    prefix.addAll(Shell.words("ip netns exec " + (atReceiver ? receiver() : senders())));
    return prefix;
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // The hook runs already.
    }
  }

  private synchronized void remove() {
    if (isRemoved) {
      return;
    }
    isRemoved = true;
    for (String namespace : namespaces()) {
      try {
        ip("netns del " + namespace);
      } catch (IOException e) {
        // The namespace was not made.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private List<String> namespaces() {
    return List.of(senders(), router(), receiver());
  }

  private String senders() {
    return name + "s";
  }

  private String router() {
    return name + "m";
  }

  private String receiver() {
    return name + "r";
  }

  private static void write(String namespace, String key, String value)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "ip",
                "netns",
                "exec",
                namespace,
                "sh",
                "-c",
                "echo '" + value + "' > /proc/sys/" + key)
            .redirectErrorStream(true)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("/proc/sys/" + key + " cannot be set in a namespace");
    }
  }

  private static void ip(String rest) throws IOException, InterruptedException {
    Shell.run("ip " + rest);
  }
}
