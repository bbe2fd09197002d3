package io.millrace.samples.bench.copy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What lies between the two sides: the loopback device, or a pair of virtual Ethernet devices whose
 * other end is in a network namespace made for it, which needs root. Closing removes what was made.
 *
 * @param name of the link
 * @param address where the node listens
 * @param within what a command of the node's side begins with
 */
record Link(String name, String address, List<String> within) implements AutoCloseable {
  private static final String SPACE = "millrace-copy";
  private static final String HERE = "mrcopy0";
  private static final String THERE = "mrcopy1";
  private static final String OUR_ADDRESS = "10.213.77.1/30";
  private static final String THEIR_ADDRESS = "10.213.77.2";

  static Link loopback() {
    return new Link("loopback", "127.0.0.1:0", List.of());
  }

  static Link veth() throws IOException {
    Link link = new Link("veth", THEIR_ADDRESS + ":0", List.of("ip", "netns", "exec", SPACE));
    ip("netns", "add", SPACE);
    try {
      ip("link", "add", HERE, "type", "veth", "peer", "name", THERE, "netns", SPACE);
      ip("addr", "add", OUR_ADDRESS, "dev", HERE);
      ip("link", "set", HERE, "up");
      ip("-n", SPACE, "addr", "add", THEIR_ADDRESS + "/30", "dev", THERE);
      ip("-n", SPACE, "link", "set", THERE, "up");
      ip("-n", SPACE, "link", "set", "lo", "up");
    } catch (IOException e) {
      link.close();
      throw e;
    }
    return link;
  }

  private static void ip(String... arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of("ip"));
    line.addAll(List.of(arguments));
    int status = status(new ProcessBuilder(line).inheritIO().start());
    if (status != 0) {
      throw new IOException(String.join(" ", line) + " ended with " + status);
    }
  }

  private static int status(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a link was made or removed");
    }
  }

  /** With the namespace goes its device, and with that the other one. */
  @Override
  public void close() throws IOException {
    if (!within.isEmpty()) {
      ip("netns", "del", SPACE);
    }
  }
}
