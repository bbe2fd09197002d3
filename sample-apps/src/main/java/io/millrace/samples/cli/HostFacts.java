package io.millrace.samples.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What this machine and this JVM are, as far as they say; what a system does not say is absent. */
final class HostFacts {
  private static final Path SYSTEM = Path.of("/sys/devices/system");
  private static final Path STATUS = Path.of("/proc/self/status");
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
    putIfSaid(facts, "isolated", line(SYSTEM.resolve("cpu/isolated")));
    return facts;
  }

  /** The CPUs of each NUMA node by the node's name; empty where the system does not tell. */
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

  /** The first line of a system's file, or an empty text if there is none. */
  static String line(Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      return line == null ? "" : line.strip();
    } catch (IOException e) {
      return "";
    }
  }

  private static String allowedCores() {
    try (BufferedReader reader = Files.newBufferedReader(STATUS)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith(ALLOWED)) {
          return line.substring(ALLOWED.length()).strip();
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
