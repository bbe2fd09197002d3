package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application on the module path, and an application on the class path with no more of the JDK
 * than docs/modules.md names.
 */
@Timeout(120)
final class ModulePathTest {
  private static final String MAIN = "com.acme.modular.Main";
  private static final Path SOURCES = Path.of("src", "test", "modular");

  /** The modules of the JDK that a node needs; docs/modules.md has the same list. */
  private static final Set<String> NEEDED =
      Set.of(
          "java.base",
          "java.logging",
          "java.management",
          "java.naming",
          "jdk.jfr",
          "jdk.management",
          "jdk.net",
          "jdk.unsupported");

  /** Agrona's compiler of generated classes, and beans of Typesafe Config: no node uses these. */
  private static final Set<String> UNUSED = Set.of("java.compiler", "java.desktop");

  @TempDir private Path folder;

  @Test
  void shouldCallFromModuleToModule() throws Exception {
    Modules modules = new Modules(folder);
    modules.makeAll();
    List<Path> path = new ArrayList<>(modules.runTimePath());
    path.add(modules.compile(SOURCES));
    List<String> arguments = new ArrayList<>(Modules.flags());
    arguments.addAll(List.of("-p", Modules.joined(path), "-m", "com.acme.modular/" + MAIN));
    List<String> lines = run(Path.of(System.getProperty("java.home")), arguments);
    assertTrue(lines.contains("module io.millrace.api"), lines::toString);
    assertTrue(lines.contains("answered grain"), lines::toString);
  }

  @Test
  @Tag("soak")
  void shouldStartWithTheNeededModulesOfTheJdkAlone() throws Exception {
    List<Path> path = new ArrayList<>(Modules.classPathOfNode());
    Set<String> named = new TreeSet<>();
    for (Path entry : path) {
      String found =
          Modules.run(
              "jdeps",
              List.of("--ignore-missing-deps", "--multi-release", "25", "-s", entry.toString()));
      for (String word : found.split("\\s+", -1)) {
        if (word.startsWith("java.") || word.startsWith("jdk.")) {
          named.add(word);
        }
      }
    }
    named.removeAll(UNUSED);
    assertEquals(new TreeSet<>(NEEDED), named);
    String command = "jlink --add-modules " + String.join(",", named);
    assertTrue(Files.readString(Path.of("../docs/modules.md")).contains(command), command);

    Path runTime = folder.resolve("run-time");
    Modules.run(
        "jlink",
        List.of("--add-modules", String.join(",", NEEDED), "--output", runTime.toString()));
    Modules modules = new Modules(folder);
    modules.makeAll();
    path.add(modules.compile(SOURCES));
    List<String> arguments = new ArrayList<>(Modules.flagsOfClassPath());
    arguments.addAll(List.of("-cp", Modules.joined(path), MAIN));
    List<String> lines = run(runTime, arguments);
    assertTrue(lines.contains("answered grain"), lines::toString);
  }

  private static List<String> run(Path runTime, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(runTime.resolve("bin").resolve("java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var output = process.inputReader()) {
      return output.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }
}
