package io.millrace.samples.bench.faults;

import io.millrace.samples.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Two network namespaces of this process alone, the client's and the servers', joined by two links.
 * Closing removes the namespaces, and ends every process that still runs in them.
 */
final class FaultLaboratory implements AutoCloseable {
  private static final String TABLE = "inet faults";

  private final String name = "mrfault" + ProcessHandle.current().pid();
  private final Thread onExit = new Thread(this::remove, "faults-remove");
  private boolean hasNft;
  private boolean isRemoved;

  private FaultLaboratory() {}

  /** Builds the laboratory; a failure removes the parts that were built. */
  static FaultLaboratory open() throws IOException, InterruptedException {
    FaultLaboratory laboratory = new FaultLaboratory();
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
  static String missing() throws InterruptedException {
    if (!Files.isDirectory(Path.of("/proc/self/ns"))) {
      return "bench faults needs Linux with network namespaces";
    }
    if (!"root".equals(System.getProperty("user.name"))) {
      return "bench faults needs root, to make network namespaces";
    }
    try {
      Shell.run("ip -V");
    } catch (IOException e) {
      return "bench faults needs the command ip: install iproute2";
    }
    String probe = "mrfault" + ProcessHandle.current().pid() + "p";
    try {
      Shell.run("ip netns add " + probe);
      Shell.run("ip netns del " + probe);
      return "";
    } catch (IOException e) {
      return "bench faults may not make network namespaces here: " + oneLine(e);
    }
  }

  private static String oneLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private void build() throws IOException, InterruptedException {
    for (String namespace : namespaces()) {
      Shell.run("ip netns add " + namespace);
      Shell.run("ip -n " + namespace + " link set lo up");
    }
    for (int i = 0; i < FaultSite.CLIENT_HOSTS.size(); i++) {
      Shell.run(
          "ip -n %s link add c%d type veth peer name s%d netns %s"
              .formatted(client(), i, i, servers()));
      configure(client(), "c" + i, FaultSite.CLIENT_HOSTS.get(i));
      configure(servers(), "s" + i, FaultSite.SERVER_HOSTS.get(i));
    }
    hasNft = canFilter();
  }

  private static void configure(String namespace, String device, String host)
      throws IOException, InterruptedException {
    Shell.run("ip -n " + namespace + " addr add " + host + "/24 dev " + device);
    Shell.run("ip -n " + namespace + " link set " + device + " up");
  }

  private boolean canFilter() throws InterruptedException {
    try {
      drop(client(), "numgen random mod 2 == 0 drop");
      pass();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether packets can be dropped by rules. */
  boolean hasNft() {
    return hasNft;
  }

  /** The prefix of a command that runs on one side. */
  List<String> commandPrefix(boolean isServer) {
    return Shell.words("ip netns exec " + (isServer ? servers() : client()));
  }

  /**
   * Drops all packets from the servers to the client.
   *
   * @return the means of the drop
   */
  String cutServers() throws IOException, InterruptedException {
    if (hasNft) {
      drop(client(), "ip saddr " + FaultSite.SERVER_HOSTS.getFirst() + " drop");
      return "nft drops the packets at the client";
    }
    Shell.run("ip -n " + servers() + " route add blackhole " + blackhole());
    return "a blackhole route at the servers, since nft does not work here";
  }

  private static String blackhole() {
    return FaultSite.CLIENT_HOSTS.getFirst() + "/32";
  }

  /** Lets every second packet arrive, at random, at both sides. */
  String dropHalf() throws IOException, InterruptedException {
    for (String namespace : namespaces()) {
      drop(namespace, "numgen random mod 2 == 0 drop");
    }
    return "nft, numgen random mod 2, at both sides";
  }

  /** Lets no TCP arrive, at both sides. */
  String dropTcp() throws IOException, InterruptedException {
    for (String namespace : namespaces()) {
      drop(namespace, "meta l4proto tcp drop");
    }
    return "nft drops TCP at both sides";
  }

  private static void drop(String namespace, String rule) throws IOException, InterruptedException {
    String nft = "ip netns exec " + namespace + " nft add ";
    Shell.run(nft + "table " + TABLE);
    Shell.run(nft + "chain " + TABLE + " in { type filter hook input priority 0 ; }");
    Shell.run(nft + "rule " + TABLE + " in " + rule);
  }

  /** Lets all packets arrive again. */
  void pass() throws InterruptedException {
    for (String namespace : namespaces()) {
      tryTo("ip netns exec " + namespace + " nft delete table " + TABLE);
    }
    if (!hasNft) {
      tryTo("ip -n " + servers() + " route del blackhole " + blackhole());
    }
  }

  /** Takes the second link down at the servers, so that the client's has no carrier, or up. */
  String setSecondLink(boolean isUp) throws IOException, InterruptedException {
    Shell.run("ip -n " + servers() + " link set s1 " + (isUp ? "up" : "down"));
    return "ip link set down at the servers' second NIC; the client's has no carrier";
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
    try {
      for (String namespace : namespaces()) {
        killAll(namespace);
        tryTo("ip netns del " + namespace);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A stopped process would never see the end of its parent. */
  private static void killAll(String namespace) throws InterruptedException {
    try {
      for (String pid : Shell.run("ip netns pids " + namespace).lines().toList()) {
        tryTo("kill -KILL " + pid);
      }
    } catch (IOException e) {
      // The namespace does not exist.
    }
  }

  private static void tryTo(String line) throws InterruptedException {
    try {
      Shell.run(line);
    } catch (IOException e) {
      // The namespace did not exist.
    }
  }

  private List<String> namespaces() {
    return List.of(client(), servers());
  }

  private String client() {
    return name + "c";
  }

  private String servers() {
    return name + "s";
  }
}
