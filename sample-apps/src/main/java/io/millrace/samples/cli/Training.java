package io.millrace.samples.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What a JVM does while it writes an AOT cache: the commands that should answer at once, and a demo
 * of a few thousand calls, streams and transfers, whose profiles the cache keeps. Ends with the
 * exit code of the demo.
 */
final class Training {
  private Training() {}

  /** No arguments. */
  public static void main(String[] args) throws Exception {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (String command : List.of("--help", "info")) {
      Main.run(List.of(command), nowhere, System.err);
    }
    Path jar = Path.of(Training.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    System.exit(Main.run(List.of("demo", "--file", jar.toString()), nowhere, System.err));
  }
}
