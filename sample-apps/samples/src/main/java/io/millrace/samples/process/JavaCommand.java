package io.millrace.samples.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts a JVM. */
public final class JavaCommand {
  /**
   * Flags not passed on to another JVM: two JVMs cannot share a debugger's port, and a recording or
   * an AOT cache must not overwrite another.
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
   * Returns a command that starts a JVM with the flags and the class path of this JVM; the class
   * whose {@code main} to run has to follow.
   *
   * @param more further flags, after these flags
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
