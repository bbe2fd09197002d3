package io.millrace.samples.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs commands of the system. */
public final class Shell {
  private Shell() {}

  /** Returns the words of a command line without quotes. */
  public static List<String> words(String line) {
    return List.of(line.split(" ", -1));
  }

  /**
   * Runs a command and returns its output.
   *
   * @throws IOException if the command is missing or ends with another code than 0, with its output
   */
  public static String run(String line) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(words(line)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IOException(line + " ended with " + exitCode + ": " + said.strip());
    }
    return said;
  }
}
