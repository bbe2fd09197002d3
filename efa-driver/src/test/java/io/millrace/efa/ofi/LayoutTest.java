package io.millrace.efa.ofi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The constants of the binding equal the constants of the C headers. Without the headers, or
 * without gcc, the dependent tests skip loudly; with {@code MILLRACE_REQUIRE_LIBFABRIC_HEADERS=1}
 * in the environment the tests fail.
 */
class LayoutTest {
  private static final String WANTED =
      "libfabric's headers cannot be compiled; install the package libfabric-dev (Fedora:"
          + " libfabric-devel) and gcc";

  private static final Path ASSERTIONS = Path.of("src", "test", "c", "layout_assert.c");
  private static final Pattern LISTED =
      Pattern.compile("^(AT|SIZE|VALUE)\\((\\w+)(?:, (\\w+))?\\);", Pattern.MULTILINE);

  @TempDir Path directory;

  /** Returns every constant of the binding under the name in the C file, without JAVA_. */
  private static SortedMap<String, Long> constants() throws IllegalAccessException {
    SortedMap<String, Long> constants = new TreeMap<>();
    for (Class<?> structure : FabricLayouts.class.getDeclaredClasses()) {
      for (Field field : constantsOf(structure)) {
        String name =
            snakeCase(structure.getSimpleName()) + "_" + field.getName().toLowerCase(Locale.ROOT);
        constants.put(name, field.getLong(null));
      }
    }
    for (Class<?> values : List.of(FabricConstants.class, FabricErrno.class)) {
      for (Field field : constantsOf(values)) {
        constants.put(field.getName(), field.getLong(null));
      }
    }
    return constants;
  }

  private static List<Field> constantsOf(Class<?> owner) {
    List<Field> constants = new ArrayList<>();
    for (Field field : owner.getDeclaredFields()) {
      boolean isNumber = field.getType() == int.class || field.getType() == long.class;
      if (isNumber && Modifier.isStatic(field.getModifiers())) {
        constants.add(field);
      }
    }
    return constants;
  }

  /** Returns the C name: FiTxAttr is fi_tx_attr. */
  private static String snakeCase(String name) {
    return name.replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void shouldListEveryConstantInTheCFile() throws IOException, IllegalAccessException {
    Set<String> listed = new TreeSet<>();
    LISTED.matcher(Files.readString(ASSERTIONS)).results().forEach(line -> listed.add(name(line)));
    assertTrue(listed.size() > 100, "the C file lists " + listed.size());
    assertEquals(constants().keySet(), listed);
  }

  private static String name(MatchResult line) {
    return switch (line.group(1)) {
      case "AT" -> line.group(2) + "_" + line.group(3);
      case "SIZE" -> line.group(2) + "_sizeof";
      default -> line.group(2);
    };
  }

  @Test
  void shouldEqualTheInstalledHeaders() throws Exception {
    assumeHeaders();
    assertEquals("", compile(constants()));
  }

  @Test
  void shouldNoticeWrongConstants() throws Exception {
    assumeHeaders();
    SortedMap<String, Long> constants = constants();
    constants.merge("fi_tx_attr_size", 8L, Long::sum);
    constants.merge("fi_cq_attr_sizeof", 8L, Long::sum);
    constants.merge("FI_REMOTE_CQ_DATA", 1L, Long::sum);
    String complaints = compile(constants);
    assertTrue(complaints.contains("offset of fi_tx_attr.size"), complaints);
    assertTrue(complaints.contains("size of fi_cq_attr"), complaints);
    assertTrue(complaints.contains("value of FI_REMOTE_CQ_DATA"), complaints);
  }

  private void assumeHeaders() throws Exception {
    Path probe = directory.resolve("probe.c");
    Files.writeString(probe, "#include <rdma/fabric.h>\n");
    String complaints;
    try {
      complaints = gcc(List.of(probe.toString()));
    } catch (IOException e) {
      complaints = "there is no gcc: " + e.getMessage();
    }
    if (complaints.isEmpty()) {
      return;
    }
    if ("1".equals(System.getenv("MILLRACE_REQUIRE_LIBFABRIC_HEADERS"))) {
      fail(WANTED + ": " + complaints);
    }
    System.err.println("SKIPPED LayoutTest: " + WANTED + ": " + complaints);
    Assumptions.abort(WANTED);
  }

  /** Returns gcc's output for the C file with these constants; empty for correct constants. */
  private String compile(SortedMap<String, Long> constants) throws Exception {
    StringBuilder header = new StringBuilder();
    constants.forEach(
        (name, value) -> header.append("#define JAVA_%s %dLL%n".formatted(name, value)));
    Path file = directory.resolve("java_constants.h");
    Files.writeString(file, header);
    return gcc(List.of("-include", file.toString(), ASSERTIONS.toString()));
  }

  private String gcc(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc", "-std=gnu11", "-fsyntax-only"));
    command.addAll(arguments);
    File output = directory.resolve("gcc.out").toFile();
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
    int exitCode = process.waitFor();
    String said = Files.readString(output.toPath(), StandardCharsets.UTF_8);
    return exitCode == 0 && said.isBlank() ? "" : "exit code " + exitCode + ": " + said;
  }
}
