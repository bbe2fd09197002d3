package io.millrace.samples.bench.burst;

import io.millrace.samples.process.Shell;
import java.io.IOException;
import java.util.List;

/** Drops packets at random, by nft, on the router's way to a device. */
final class PacketLoss {
  private static final int PARTS = 100_000;
  private static final double PERCENT = 100;

  private PacketLoss() {}

  static void add(String namespace, String device, double percent)
      throws IOException, InterruptedException {
    install();
    long parts = Math.round(percent / PERCENT * PARTS);
    nft(namespace, "add table ip burst");
    nft(namespace, "add chain ip burst lose { type filter hook forward priority 0 ; }");
    nft(
        namespace,
        "add rule ip burst lose oifname %s numgen random mod %d < %d counter drop"
            .formatted(device, PARTS, parts));
  }

  private static void install() throws IOException, InterruptedException {
    try {
      Shell.run("nft --version");
    } catch (IOException missing) {
      try {
        Shell.run("apt-get install -y -qq nftables");
      } catch (IOException e) {
        throw new IOException("--loss needs the command nft: install nftables", e);
      }
    }
  }

  private static void nft(String namespace, String command)
      throws IOException, InterruptedException {
    List<String> words = List.of("ip", "netns", "exec", namespace, "nft", command);
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException("nft " + command + ": " + said.strip());
    }
  }
}
