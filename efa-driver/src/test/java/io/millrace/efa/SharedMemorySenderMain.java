package io.millrace.efa;

import io.millrace.driver.EndpointAddress;
import java.util.HexFormat;

/**
 * A process that leaves messages in the queue of another process's endpoint and ends.
 *
 * <p>Arguments: the address of the receiver in hexadecimal, and {@code halt} for an end without a
 * close. Prints its own address, and {@code sent} before its end.
 */
final class SharedMemorySenderMain {
  private SharedMemorySenderMain() {}

  public static void main(String[] args) throws Exception {
    try (Peer sender = Peer.open("shm")) {
      System.out.println(HexFormat.of().formatHex(sender.endpoint.localAddress().bytes()));
      byte[] receiver = HexFormat.of().parseHex(args[0]);
      int to = sender.endpoint.resolve(new EndpointAddress("fabric:shm", receiver));
      sender.send(to, 1, 8_000, 8_000, 1);
      if (!Peer.turnUntil(() -> sender.sends.size() == 1, sender)) {
        throw new AssertionError("the receiver took nothing");
      }
      sender.send(to, 1, 8_000, 8_000, 2);
      System.out.println("sent");
      if (args[1].equals("halt")) {
        Runtime.getRuntime().halt(0);
      }
    }
  }
}
