package io.millrace.samples.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a JVM is started. */
public final class JavaCommand {
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
      // Two JVMs cannot share a debugger's port, and one recording must not overwrite the other.
      if (!flag.startsWith("-agentlib:jdwp") && !flag.startsWith("-XX:StartFlightRecording")) {
        command.add(flag);
      }
    }
    command.addAll(List.of(more));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    return command;
  }
}
