package io.millrace.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The topology that Linux shows under {@code /sys}. Where a file is missing (another system, a
 * container) the machine counts as a single memory node of independent cores.
 */
public final class SysfsTopology implements CpuTopology {
  private static final String NODE_PREFIX = "node";

  /**
   * The line of the unified hierarchy of control groups; older hierarchies do not tell the
   * effective set.
   */
  private static final String UNIFIED = "0::";

  private final Path root;
  private final List<NumaNode> nodes;

  /**
   * Reads the nodes; everything else is read when asked for.
   *
   * @param root the root of the machine's files: {@code /}, or a test's imitation
   */
  public SysfsTopology(Path root) {
    this.root = root;
    this.nodes = readNodes();
  }

  /** The topology of this machine. */
  public static SysfsTopology ofThisMachine() {
    return new SysfsTopology(Path.of("/"));
  }

  @Override
  public List<NumaNode> nodes() {
    return nodes;
  }

  @Override
  public CpuSet siblingsOf(int cpu) {
    CpuSet siblings = cpus("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
    return siblings.contains(cpu) ? siblings : CpuSet.of(cpu);
  }

  @Override
  public CpuSet isolated() {
    return cpus("sys/devices/system/cpu/isolated");
  }

  @Override
  public CpuSet cpuset() {
    for (String line : read("proc/self/cgroup").split("\n", -1)) {
      if (line.startsWith(UNIFIED)) {
        String group = line.substring(UNIFIED.length()).strip();
        return cpus("sys/fs/cgroup" + group + "/cpuset.cpus.effective");
      }
    }
    return CpuSet.NONE;
  }

  @Override
  public int nodeOfInterface(String name) {
    String text = read("sys/class/net/" + name + "/device/numa_node");
    return text.matches("\\d+") ? Integer.parseInt(text) : UNKNOWN_NODE;
  }

  private List<NumaNode> readNodes() {
    List<NumaNode> found = new ArrayList<>();
    Path directory = root.resolve("sys/devices/system/node");
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> entries =
          Files.newDirectoryStream(directory, NODE_PREFIX + "[0-9]*")) {
        for (Path entry : entries) {
          String name = entry.getFileName().toString();
          CpuSet cpus = cpus("sys/devices/system/node/" + name + "/cpulist");
          found.add(new NumaNode(Integer.parseInt(name.substring(NODE_PREFIX.length())), cpus));
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot list " + directory, e);
      }
    }
    found.removeIf(node -> node.cpus().isEmpty());
    found.sort(Comparator.comparingInt(NumaNode::id));
    return found.isEmpty() ? List.of(new NumaNode(0, online())) : List.copyOf(found);
  }

  private CpuSet online() {
    CpuSet listed = cpus("sys/devices/system/cpu/online");
    return listed.isEmpty()
        ? CpuSet.parse("0-" + (Runtime.getRuntime().availableProcessors() - 1))
        : listed;
  }

  /**
   * The list in a file; empty without such a file or without a list in the file, as in "(null)".
   */
  private CpuSet cpus(String path) {
    try {
      return CpuSet.parse(read(path));
    } catch (IllegalArgumentException e) {
      return CpuSet.NONE;
    }
  }

  private String read(String path) {
    try {
      return Files.readString(root.resolve(path)).strip(); // of /proc, too, but not of /proc/sys
    } catch (IOException e) {
      return "";
    }
  }
}
