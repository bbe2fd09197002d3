package io.millrace.loop;

import io.millrace.node.SystemNics;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine of a node, as found at the node's start. Read once, from files; nothing of the system
 * is changed.
 *
 * @param topology how the CPUs hang together
 * @param allowed where the process may run; empty when not known
 * @param nics the network interfaces
 * @param spareDescriptors files and sockets that may still be opened; {@link #UNKNOWN} when not
 *     known
 * @param hugePages huge pages that are set aside; {@link #UNKNOWN} when not known
 */
public record Machine(
    CpuTopology topology,
    CpuSet allowed,
    List<SystemNics.Nic> nics,
    long spareDescriptors,
    long hugePages) {
  /** A number is not known. */
  public static final long UNKNOWN = -1;

  /** A machine without known facts; for simulated nodes. */
  public static Machine unknown() {
    return new Machine(new Bare(), CpuSet.NONE, List.of(), UNKNOWN, UNKNOWN);
  }

  /** The machine of this process. */
  public static Machine ofThisProcess() {
    Path root = Path.of("/");
    return new Machine(
        new SysfsTopology(root),
        CpuAffinity.ofProcess(),
        SystemNics.list(),
        spareDescriptors(root),
        hugePages(root));
  }

  /** The interface with this address, or null. */
  public SystemNics.@Nullable Nic nicOf(InetAddress address) {
    return nics.stream().filter(nic -> nic.addresses().contains(address)).findFirst().orElse(null);
  }

  /**
   * The memory node next to the interface with this address, or {@link CpuTopology#UNKNOWN_NODE}.
   */
  public int nodeOf(InetAddress address) {
    SystemNics.Nic nic = nicOf(address);
    return nic == null ? CpuTopology.UNKNOWN_NODE : topology.nodeOfInterface(nic.name());
  }

  static long spareDescriptors(Path root) {
    long limit = number(root.resolve("proc/self/limits"), "Max open files");
    if (limit == UNKNOWN) {
      return UNKNOWN;
    }
    long open = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve("proc/self/fd"))) {
      for (Path entry : entries) {
        assert entry != null;
        open++;
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
    return Math.max(0, limit - open);
  }

  static long hugePages(Path root) {
    return number(root.resolve("proc/meminfo"), "HugePages_Total:");
  }

  /** The first number behind these words at the begin of a line. */
  private static long number(Path file, String words) {
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(words)) {
          String first = line.substring(words.length()).strip().split("\\s+", 2)[0];
          return first.matches("\\d{1,18}") ? Long.parseLong(first) : UNKNOWN;
        }
      }
    } catch (IOException e) {
      return UNKNOWN;
    }
    return UNKNOWN;
  }

  /** A single memory node of unknown CPUs. */
  private static final class Bare implements CpuTopology {
    @Override
    public List<NumaNode> nodes() {
      return List.of(new NumaNode(0, CpuSet.NONE));
    }

    @Override
    public CpuSet siblingsOf(int cpu) {
      return CpuSet.of(cpu);
    }

    @Override
    public CpuSet isolated() {
      return CpuSet.NONE;
    }

    @Override
    public CpuSet cpuset() {
      return CpuSet.NONE;
    }

    @Override
    public int nodeOfInterface(String name) {
      return UNKNOWN_NODE;
    }
  }
}
