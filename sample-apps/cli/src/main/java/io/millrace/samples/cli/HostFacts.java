package io.millrace.samples.cli;

import io.millrace.loop.CoreAssignment;
import io.millrace.loop.CpuSet;
import io.millrace.loop.CpuTopology;
import io.millrace.loop.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The facts of this machine and this JVM; a fact unknown to the system is absent. */
final class HostFacts {
  private static final Path SYSTEM = Path.of("/sys/devices/system");
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String LOCKED = "Max locked memory";
  private static final Machine MACHINE = Machine.ofThisProcess();
  private static final String ALLOWED = "Cpus_allowed_list:";

  private HostFacts() {}

  static Map<String, Object> jdk() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("version", System.getProperty("java.runtime.version", "?"));
    facts.put("vendor", System.getProperty("java.vendor", "?"));
    facts.put("vm", System.getProperty("java.vm.name", "?"));
    return facts;
  }

  static Map<String, Object> system() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", System.getProperty("os.name", "?"));
    facts.put("kernel", System.getProperty("os.version", "?"));
    facts.put("arch", System.getProperty("os.arch", "?"));
    return facts;
  }

  static Map<String, Object> cores() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("available", Runtime.getRuntime().availableProcessors());
    putIfSaid(facts, "allowed", allowedCores());
    putIfSaid(facts, "online", line(SYSTEM.resolve("cpu/online")));
    CpuTopology topology = MACHINE.topology();
    facts.put("isolated", topology.isolated().toString());
    putIfSaid(facts, "cpuset", topology.cpuset().toString());
    facts.put("auto", CpuSet.of(coreOfOneWorker()).toString());
    return facts;
  }

  /**
   * Returns the core to which {@code workers.cores = auto} would pin a single worker; empty without
   * a pin.
   */
  private static List<Integer> coreOfOneWorker() {
    List<Integer> candidates = CoreAssignment.candidates(1, MACHINE.topology(), MACHINE.allowed());
    return candidates.isEmpty()
        ? List.of()
        : CoreAssignment.assign(
                "workers.cores",
                candidates,
                List.of(CpuTopology.UNKNOWN_NODE),
                MACHINE.topology(),
                MACHINE.allowed())
            .coreOfWorker();
  }

  /** Returns the remaining limits of descriptors, locked memory and huge pages. */
  static Map<String, Object> limits() {
    Map<String, Object> facts = new LinkedHashMap<>();
    putIfKnown(facts, "descriptors", MACHINE.spareDescriptors());
    putIfSaid(facts, "memlock", limit(LOCKED));
    putIfKnown(facts, "huge_pages", MACHINE.hugePages());
    return facts;
  }

  private static void putIfKnown(Map<String, Object> facts, String name, long value) {
    if (value != Machine.UNKNOWN) {
      facts.put(name, value);
    }
  }

  /** The soft limit with this name, a number or unlimited. */
  private static String limit(String name) {
    String found = behind(LIMITS, name);
    return found.split("\\s+", 2)[0];
  }

  /** Returns the CPUs of each NUMA node by the node's name; empty if the system does not tell. */
  static Map<String, Object> numaNodes() {
    Map<String, Object> nodes = new TreeMap<>();
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(SYSTEM.resolve("node"), "node[0-9]*")) {
      for (Path folder : folders) {
        nodes.put(String.valueOf(folder.getFileName()), line(folder.resolve("cpulist")));
      }
    } catch (IOException e) {
      return Map.of();
    }
    return nodes;
  }

  /** Returns the first line of a system's file, or an empty text without the file. */
  static String line(Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      return line == null ? "" : line.strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String allowedCores() {
    return behind(STATUS, ALLOWED);
  }

  /** Returns the rest of the line that begins with these words; empty without such a line. */
  private static String behind(Path file, String words) {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(words)) {
          return line.substring(words.length()).strip();
        }
      }
    } catch (IOException e) {
      return "";
    }
    return "";
  }

  private static void putIfSaid(Map<String, Object> facts, String name, String value) {
    if (!value.isEmpty()) {
      facts.put(name, value);
    }
  }
}
