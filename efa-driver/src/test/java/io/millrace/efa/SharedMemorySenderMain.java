package io.millrace.efa;

import io.millrace.driver.MemoryRegion;
import io.millrace.driver.RemoteWrite;
import java.lang.foreign.Arena;
import java.util.HexFormat;

/**
 * A process that leaves a write in the queue of another process's endpoint and ends.
 *
 * <p>Arguments: the address of the receiver in hexadecimal, key and base of a region, and {@code
 * halt} for an end without a close. Prints its own address, and {@code sent} before its end.
 */
final class SharedMemorySenderMain {
  private SharedMemorySenderMain() {}

  public static void main(String[] args) throws Exception {
    try (Arena arena = Arena.ofShared();
        Peer sender = Peer.open("shm")) {
      System.out.println(HexFormat.of().formatHex(sender.endpoint.localAddress().bytes()));
      byte[] receiver = HexFormat.of().parseHex(args[0]);
      int to = sender.resolve(receiver);
      sender.send(to, 1, 10, 10, 1);
      if (!Peer.turnUntil(() -> sender.sends.size() == 1, sender)) {
        throw new AssertionError("the receiver took nothing");
      }
      int bytes = SharedMemoryDeathMain.WRITE_BYTES;
      MemoryRegion source = sender.endpoint.remoteMemory().register(arena.allocate(bytes), false);
      RemoteWrite write =
          new RemoteWrite()
              .source(source, 0, bytes)
              .target(Long.parseLong(args[2]), Long.parseLong(args[1]));
      if (!sender.endpoint.remoteMemory().postWrite(to, write, 2)) {
        throw new AssertionError("the write was not taken");
      }
      System.out.println("sent");
      if (args[3].equals("halt")) {
        Runtime.getRuntime().halt(0);
      }
    }
  }
}
