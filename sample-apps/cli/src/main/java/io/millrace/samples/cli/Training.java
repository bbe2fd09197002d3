package io.millrace.samples.cli;

import io.millrace.config.TransportSettings;
import io.millrace.samples.process.Checkout;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The run of a JVM that writes an AOT cache. {@code quick} runs the commands that should answer at
 * once. {@code demo} runs a demo of a few thousand calls, streams and transfers, with profiles for
 * the cache. Ends with the exit code of the last command.
 */
final class Training {
  private Training() {}

  /** Takes one argument: {@code quick} or {@code demo}. */
  public static void main(String[] args) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<List<String>> commands =
        args[0].equals("quick")
            ? List.of(List.of("--help"), List.of("info"))
            : List.of(
                List.of(
                    "demo", "--file", Checkout.classesWith(TransportSettings.class).toString()));
    int exitCode = 0;
    for (List<String> command : commands) {
      exitCode = Main.run(command, nowhere, System.err);
    }
    System.exit(exitCode);
  }
}
