package io.millrace.efa;

import io.millrace.driver.MemoryRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/**
 * The other process of {@link TwoProcessWriteTest}: owns a region, waits for a write with an
 * immediate value, verifies the bytes and confirms by a message.
 *
 * <p>Arguments: provider, address of the writer in hexadecimal. Prints its own address, the
 * region's key and its base.
 */
final class RegionOwnerMain {
  static final int REGION_BYTES = 1 << 20;
  static final long IMMEDIATE = 0x5EED;

  private RegionOwnerMain() {}

  public static void main(String[] args) throws Exception {
    String provider = args[0];
    try (Arena arena = Arena.ofShared();
        Peer owner = Peer.open(provider)) {
      int toWriter = owner.resolve(HexFormat.of().parseHex(args[1]));
      MemorySegment memory = arena.allocate(REGION_BYTES, 64);
      MemoryRegion region = owner.endpoint.remoteMemory().register(memory, true);
      System.out.println(HexFormat.of().formatHex(owner.endpoint.localAddress().bytes()));
      System.out.println(region.remoteKey());
      System.out.println(region.remoteBase());
      if (!Peer.turnUntil(() -> owner.immediates.contains(IMMEDIATE), owner)) {
        throw new AssertionError("no write came");
      }
      for (int i = 0; i < REGION_BYTES; i++) {
        if (memory.get(ValueLayout.JAVA_BYTE, i) != pattern(i)) {
          throw new AssertionError("byte " + i + " is wrong");
        }
      }
      owner.send(toWriter, 1, 10, 10, 1);
      if (!Peer.turnUntil(() -> owner.sends.size() == 1, owner)) {
        throw new AssertionError("the answer was not sent");
      }
      System.out.println("verified");
      // the writer reports the arrival of the answer: an early close here might lose the answer
      if (!Peer.turnUntil(() -> !owner.datagrams.isEmpty(), owner)) {
        throw new AssertionError("no farewell came");
      }
    }
  }

  static byte pattern(int index) {
    return (byte) (1 + index % 241);
  }
}
