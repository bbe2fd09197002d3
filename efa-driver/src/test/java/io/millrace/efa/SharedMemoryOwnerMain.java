package io.millrace.efa;

import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A process with endpoints of shared memory.
 *
 * <p>Argument {@code wait}: opens an endpoint, prints the name of its file and waits. {@code fill}:
 * opens two endpoints, fills {@code /dev/shm} and sends messages. {@code refused}: prints the
 * reasons of a probe and of an open that fail.
 */
final class SharedMemoryOwnerMain {
  private static final int MESSAGES = 2_000;
  private static final int LENGTH = 4_000;

  private SharedMemoryOwnerMain() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "wait" -> await();
      case "fill" -> fill();
      case "refused" -> refused();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private static void await() throws DriverException, IOException {
    try (Peer peer = Peer.open("shm")) {
      System.out.println(SharedMemoryNames.nameOf(peer.endpoint.localAddress()));
      if (System.in.read() >= 0) {
        throw new AssertionError("nobody writes to this process");
      }
    }
  }

  private static void fill() throws DriverException, IOException {
    try (Peer left = Peer.open("shm");
        Peer right = Peer.open("shm")) {
      int toRight = left.resolve(right);
      Path filler = SharedMemoryNames.DIRECTORY.resolve("filler");
      try (FileChannel channel =
          FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        long written = 0;
        while (true) {
          written += channel.write(ByteBuffer.allocate(4_096), written);
        }
      } catch (IOException e) {
        System.out.println("full");
      }
      for (int i = 1; i <= MESSAGES; i++) {
        int expected = i;
        left.send(toRight, 1, LENGTH, LENGTH, i);
        if (!Peer.turnUntil(() -> right.datagrams.size() == expected, left, right)) {
          throw new AssertionError("message " + i + " did not arrive");
        }
      }
    }
    System.out.println("done");
  }

  private static void refused() {
    if (FabricDrivers.provider("shm").probe() instanceof DriverAvailability.Unavailable no) {
      System.out.println(no.reason());
    }
    try (Peer _ = Peer.open("shm")) {
      System.out.println("opened");
    } catch (DriverException e) {
      System.out.println(e.getMessage());
    }
  }
}
