package io.millrace.samples.bench;

import io.millrace.samples.process.JavaCommand;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The command line of a JVM like this JVM, pinned to a core from the first instruction on. */
public final class PinnedCommand {
  /** For Aeron, and for builds of Millrace that ran on Agrona's buffers: access to the JDK. */
  public static final String OF_INTERNALS = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

  /** The flags of every process, the same for all peers. */
  static final List<String> JVM_FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          OF_INTERNALS,
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:+UseSerialGC",
          "-Xms768m",
          "-Xmx768m",
          "-Xmn512m",
          // Else the first pass through the young generation pays for the system's zeroing.
          "-XX:+AlwaysPreTouch",
          "-XX:-UsePerfData",
          "-Dagrona.disable.bounds.checks=true");

  private PinnedCommand() {}

  /** The pinning tool, if this system has the tool. */
  static Optional<Path> find() {
    return Stream.of(
            System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "taskset"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Returns the command that runs {@code mainClass} of a class path on {@code core}, or on any core
   * if {@code core} is negative.
   */
  static List<String> of(
      int core, List<String> extraFlags, String classPath, Class<?> mainClass, List<String> args) {
    List<String> command = new ArrayList<>();
    if (core >= 0) {
      command.add(find().orElseThrow().toString());
      command.add("-c");
      command.add(Integer.toString(core));
    }
    command.add(JavaCommand.program());
    command.addAll(JVM_FLAGS);
    command.addAll(extraFlags);
    command.add("-cp");
    command.add(classPath);
    command.add(mainClass.getName());
    command.addAll(args);
    return command;
  }
}
