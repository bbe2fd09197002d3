package io.millrace.samples.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command that ran inside this process, with its output. */
record CommandRun(int exitCode, List<String> out, List<String> err) {
  static CommandRun of(String... args) {
    return of(List.of(args));
  }

  static CommandRun of(List<String> args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = Main.run(args, stream(out), stream(err));
    return new CommandRun(exitCode, lines(out), lines(err));
  }

  JsonNode json() {
    try {
      return new ObjectMapper().readTree(out.getLast());
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + out.getLast(), e);
    }
  }

  private static PrintStream stream(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private static List<String> lines(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
