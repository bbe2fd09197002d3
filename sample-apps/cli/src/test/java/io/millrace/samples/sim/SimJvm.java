package io.millrace.samples.sim;

import io.millrace.samples.process.JavaCommand;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** JVMs of their own that simulate: with the Java, agent and class path of this JVM. */
final class SimJvm {
  private static final List<String> INHERITED =
      List.of("--enable-native-access", "--sun-misc-unsafe-memory-access");

  private SimJvm() {}

  /** The command that runs a class of this class path. */
  static List<String> command(List<String> flags, List<String> program) {
    List<String> command = new ArrayList<>();
    command.add(JavaCommand.program());
    for (String own : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      boolean isAgent = own.startsWith("-javaagent:") && own.contains("sim-agent");
      if (isAgent || INHERITED.stream().anyMatch(own::startsWith)) {
        command.add(own);
      }
    }
    command.addAll(List.of("-ea", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(program);
    return command;
  }
}
