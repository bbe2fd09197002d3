package io.millrace.samples.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a JVM is started. */
public final class JavaCommand {
  /**
   * Flags that no other JVM gets: two cannot share a debugger's port, and one recording or one AOT
   * cache must not overwrite the other.
   */
  private static final List<String> OF_ONE_JVM =
      List.of(
          "-agentlib:jdwp",
          "-XX:StartFlightRecording",
          "-XX:AOTCacheOutput",
          "-XX:AOTConfiguration",
          "-XX:AOTMode");

  private JavaCommand() {}

  /** The program of this JVM. */
  public static String program() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * Starts a JVM with the flags and the class path of this one; the class whose {@code main} to run
   * has to follow.
   *
   * @param more flags, which stand after those
   */
  public static List<String> likeThis(String... more) {
    List<String> command = new ArrayList<>();
    command.add(program());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (OF_ONE_JVM.stream().noneMatch(flag::startsWith)) {
        command.add(flag);
      }
    }
    command.addAll(List.of(more));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    return command;
  }
}
