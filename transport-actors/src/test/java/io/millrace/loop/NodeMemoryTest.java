package io.millrace.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.config.NumaPolicy;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeMemoryTest {
  private static final int BYTES = 64 << 10;

  @TempDir private Path root;

  /** A machine with these CPUs for each node, in the kernel's notation. */
  private CpuTopology machine(String... nodes) {
    try {
      for (int i = 0; i < nodes.length; i++) {
        Path node = root.resolve("sys/devices/system/node/node" + i);
        Files.createDirectories(node);
        Files.writeString(node.resolve("cpulist"), nodes[i]);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return new SysfsTopology(root);
  }

  private int node(NumaPolicy policy, int cpu, String... nodes) {
    return NodeMemory.of(policy, cpu, () -> machine(nodes)).node();
  }

  @Test
  void shouldChooseTheNodeOfTheWorkersCore() {
    assertEquals(0, node(NumaPolicy.PREFER_LOCAL, 1, "0-3", "4-7"));
    assertEquals(1, node(NumaPolicy.PREFER_LOCAL, 4, "0-3", "4-7"));
  }

  @Test
  void shouldLeaveMemoryAloneWhereThePolicySaysSo() {
    assertEquals(CpuTopology.UNKNOWN_NODE, node(NumaPolicy.IGNORE, 4, "0-3", "4-7"));
  }

  @Test
  void shouldLeaveMemoryAloneWhereNoNodeIsNearer() {
    assertEquals(CpuTopology.UNKNOWN_NODE, node(NumaPolicy.PREFER_LOCAL, 1, "0-7"));
    assertEquals(CpuTopology.UNKNOWN_NODE, node(NumaPolicy.PREFER_LOCAL, 9, "0-3", "4-7"));
    assertEquals(
        CpuTopology.UNKNOWN_NODE,
        NodeMemory.of(
                NumaPolicy.PREFER_LOCAL,
                LoopSettings.ANY_CORE,
                () -> {
                  throw new AssertionError("an unpinned worker reads no topology");
                })
            .node());
  }

  @Test
  void shouldMoveAndCountOnlyWhatIsToBePlaced() {
    List<Integer> moved = new ArrayList<>();
    NodeMemory.Mover mover =
        (memory, node) -> {
          assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 17));
          moved.add(node);
          return moved.size() == 1
              ? new NodeMemory.Placing(BYTES, 0, null)
              : new NodeMemory.Placing(100, BYTES - 100, "attempt " + moved.size());
        };
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES);
      NodeMemory left = new NodeMemory(CpuTopology.UNKNOWN_NODE, mover);
      left.place(memory);
      assertEquals(List.of(), moved);
      NodeMemory near = new NodeMemory(1, mover);
      near.place(memory);
      assertNull(near.refusal());
      near.place(memory);
      near.place(memory);
      assertEquals(List.of(1, 1, 1), moved);
      assertEquals(BYTES + 200, near.localBytes());
      assertEquals(2L * (BYTES - 100), near.remoteBytes());
      assertEquals("attempt 2", near.refusal());
    }
  }

  /** Whatever system this runs on. */
  @Test
  void shouldCountEveryByteWhereverTheSystemPutsThem() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES + 1, 4_096);
      memory.fill((byte) 7);
      for (int node : new int[] {0, 1, 4_095}) {
        NodeMemory.Placing placing = MovedPages.move(memory, node);
        assertEquals(memory.byteSize(), placing.localBytes() + placing.remoteBytes());
        assertTrue(placing.localBytes() >= 0 && placing.remoteBytes() >= 0);
        if (node == 4_095) {
          assertEquals(0, placing.localBytes());
          assertNotNull(placing.refusal());
        }
        assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, BYTES));
      }
    }
  }
}
