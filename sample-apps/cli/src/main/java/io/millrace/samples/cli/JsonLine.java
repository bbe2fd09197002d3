package io.millrace.samples.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.Map;

/** Writes a JSON object on one line. Absent values are left out of the map. */
final class JsonLine {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonLine() {}

  static void print(PrintStream out, Map<String, ?> object) {
    out.println(text(object));
    out.flush();
  }

  static String text(Map<String, ?> object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a report holds what JSON cannot", e);
    }
  }
}
