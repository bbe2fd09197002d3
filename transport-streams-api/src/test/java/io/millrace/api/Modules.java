package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The artifacts of this build as modules, whether the tests' class path has their jars, as a
 * packaging build does, or their folders of classes. The descriptor of a folder is compiled here.
 */
final class Modules {
  static final String ENGINE = "transport-actors";
  static final String UDP = "udp-driver";
  static final String API = "transport-streams-api";
  private static final Path DESCRIPTOR = Path.of("src", "main", "module", "module-info.java");

  private static final String NATIVE_ACCESS = "native-access=io.millrace.engine,io.millrace.udp";

  /** The other artifacts that a node needs, by the beginnings of their file names. */
  private static final List<String> LIBRARIES =
      List.of(
          "agrona-",
          "config-1",
          "jspecify-",
          "pekko-actor_",
          "pekko-actor-typed_",
          "pekko-protobuf-v3_",
          "pekko-stream_",
          "reactive-streams-1",
          "scala-library-",
          "slf4j-api-",
          "ssl-config-core_");

  /** Libraries that descriptors name, and that a node does without. */
  private static final List<String> OPTIONAL =
      List.of(
          "jackson-core-",
          "jackson-databind-",
          "jackson-annotations-",
          "netty-",
          "opentelemetry-api-",
          "opentelemetry-context-",
          "pekko-cluster_",
          "pekko-cluster-typed_");

  private final Path folder;
  private final Map<String, Path> made = new TreeMap<>();

  /** Modules are made in this folder. */
  Modules(Path folder) {
    this.folder = folder;
  }

  /** Makes the modules that a node over UDP needs. */
  void makeAll() throws IOException {
    for (String artifact : List.of(ENGINE, UDP, API)) {
      Path classes = classes(artifact);
      made.put(artifact, Files.isDirectory(classes) ? compiled(artifact, classes) : classes);
    }
  }

  /** Compiles an application against the modules; returns the folder of its module. */
  Path compile(Path sources) throws IOException {
    Path to = Files.createDirectories(folder.resolve("application"));
    try (Stream<Path> files = Files.walk(sources)) {
      javac(to, files.filter(file -> file.toString().endsWith(".java")).toList(), runTimePath());
    }
    return to;
  }

  /** The modules made, and the libraries that a node needs. */
  List<Path> runTimePath() {
    List<Path> path = new ArrayList<>(made.values());
    path.addAll(libraries());
    return path;
  }

  private static List<Path> libraries() {
    return jars(LIBRARIES);
  }

  private static List<Path> jars(List<String> beginnings) {
    return classPath()
        .filter(entry -> beginnings.stream().anyMatch(entry.getFileName().toString()::startsWith))
        .toList();
  }

  /** The entries of the class path of this JVM that a node over UDP needs. */
  static List<Path> classPathOfNode() {
    List<Path> path = new ArrayList<>(libraries());
    for (String artifact : List.of(ENGINE, UDP, API)) {
      path.add(classes(artifact));
    }
    return path;
  }

  static String joined(List<Path> path) {
    return String.join(File.pathSeparator, path.stream().map(Path::toString).toList());
  }

  /** Runs a tool of the JDK; returns its output, or fails with the output. */
  static String run(String tool, List<String> arguments) {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    int status =
        ToolProvider.findFirst(tool)
            .orElseThrow()
            .run(writer, writer, arguments.toArray(String[]::new));
    assertEquals(0, status, () -> tool + " " + arguments + ": " + output);
    return output.toString();
  }

  /** The flags of {@code millrace.args}; none if the engine has no such file. */
  static List<String> flagsOfClassPath() throws IOException {
    try (InputStream file = Modules.class.getResourceAsStream("/millrace.args")) {
      String text = file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.startsWith("#"))
          .flatMap(line -> Stream.of(line.split(" ", -1)))
          .filter(word -> !word.isBlank())
          .toList();
    }
  }

  /** The same flags with the names of modules in the place of the class path. */
  static List<String> flags() throws IOException {
    return flagsOfClassPath().stream()
        .map(word -> word.replace("native-access=ALL-UNNAMED", NATIVE_ACCESS))
        .map(word -> word.replace("ALL-UNNAMED", "org.agrona"))
        .toList();
  }

  private Path compiled(String artifact, Path classes) throws IOException {
    Path to = folder.resolve(artifact);
    copy(classes, to);
    List<Path> path = new ArrayList<>(made.values());
    path.addAll(libraries());
    path.addAll(jars(OPTIONAL));
    javac(to, List.of(sourceTree().resolve(artifact).resolve(DESCRIPTOR)), path);
    return to;
  }

  private static void javac(Path to, List<Path> sources, List<Path> path) {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-d", to.toString(), "-p", joined(path)));
    sources.forEach(source -> arguments.add(source.toString()));
    run("javac", arguments);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  /** The folder of classes, or the jar, of an artifact of this build. */
  private static Path classes(String artifact) {
    return classPath()
        .filter(
            entry ->
                entry.toString().contains(File.separator + artifact + File.separator + "target")
                    && !entry.endsWith("test-classes"))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of);
  }

  /** The root of the sources of this build, above the folder of the tests. */
  static Path sourceTree() {
    return Objects.requireNonNull(Path.of("").toAbsolutePath().getParent());
  }
}
