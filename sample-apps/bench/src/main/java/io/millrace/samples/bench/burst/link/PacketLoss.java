package io.millrace.samples.bench.burst.link;

import io.millrace.samples.process.Shell;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Drops packets at random, by nft, on the router's way to a device. */
public final class PacketLoss {
  private static final int PARTS = 100_000;
  private static final double PERCENT = 100;

  private PacketLoss() {}

  /**
   * Makes sure that {@link #set} can run.
   *
   * @throws IOException if this host has no nft, and none can be installed
   */
  public static void prepare() throws IOException, InterruptedException {
    try {
      Shell.run("nft --version");
    } catch (IOException missing) {
      try {
        Shell.run("apt-get install -y -qq nftables");
      } catch (IOException e) {
        throw new IOException("losses need the command nft: install nftables", e);
      }
    }
  }

  /** Drops this share of packets from now on, in place of any share before; 0 for no packet. */
  public static void set(String namespace, String device, double percent)
      throws IOException, InterruptedException {
    String commands =
        "add table ip burst; "
            + "add chain ip burst lose { type filter hook forward priority 0 ; }; "
            + "flush chain ip burst lose";
    if (percent > 0) {
      commands +=
          "; add rule ip burst lose oifname %s numgen random mod %d < %d counter drop"
              .formatted(device, PARTS, Math.round(percent / PERCENT * PARTS));
    }
    nft(namespace, commands);
  }

  private static void nft(String namespace, String commands)
      throws IOException, InterruptedException {
    List<String> words = List.of("ip", "netns", "exec", namespace, "nft", commands);
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException("nft " + commands + ": " + said);
    }
  }
}
