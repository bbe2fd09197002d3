package io.millrace.samples.cli;

import io.millrace.samples.process.JavaCommand;
import java.util.ArrayList;
import java.util.List;

/** JVMs that live for a single command, without the costly parts of a JVM's start. */
final class ShortJvm {
  private ShortJvm() {}

  /**
   * Starts a JVM with the flags and the class path of this JVM, without its collector and without
   * the simulator's agent. The agent would rewrite classes for nothing. The main class has to
   * follow.
   */
  static List<String> command(String... more) {
    List<String> flags = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    flags.addAll(List.of(more));
    List<String> command = JavaCommand.likeThis(flags.toArray(String[]::new));
    command.removeIf(
        flag -> flag.startsWith("-javaagent:") || flag.matches("-XX:.Use(Par.*|G1)GC"));
    return command;
  }
}
