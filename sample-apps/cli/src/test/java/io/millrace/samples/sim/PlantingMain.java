package io.millrace.samples.sim;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.samples.cli.Main;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * A program and the agent of its JVM: runs commands, each with a single changed class, and restores
 * the class afterwards. Reads a line of JSON for each command, and answers with a line. The answer
 * has the exit code of the command, a tab, and the last line of its output.
 */
final class PlantingMain {
  private static volatile @Nullable Instrumentation instrumentation;

  private PlantingMain() {}

  /**
   * A command to run.
   *
   * @param type the name of the class
   * @param changed the path of its changed code
   * @param words the words of the command
   */
  record Order(String type, String changed, List<String> words) {}

  /** Returns an agent that names this class, present on the class path; for {@code -javaagent}. */
  static Path agent(Path folder) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(new Attributes.Name("Premain-Class"), PlantingMain.class.getName());
    main.put(new Attributes.Name("Can-Redefine-Classes"), "true");
    Path jar = folder.resolve("planting.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  /** Called by the JVM before {@link #main}. */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    PlantingMain.instrumentation = instrumentation;
  }

  /** See the comment of the class. */
  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String order;
    while ((order = orders.readLine()) != null) {
      answers.println(obey(new ObjectMapper().readValue(order, Order.class)));
    }
  }

  private static String obey(Order order) throws Exception {
    Class<?> type = Class.forName(order.type(), false, PlantingMain.class.getClassLoader());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    redefine(type, Files.readAllBytes(Path.of(order.changed())));
    try {
      int exitCode = Main.run(order.words(), new PrintStream(out, true), nowhere);
      List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
      return exitCode + "\t" + (lines.isEmpty() ? "" : lines.getLast());
    } finally {
      redefine(type, original(type));
    }
  }

  private static byte[] original(Class<?> type) throws IOException {
    try (InputStream bytes =
        type.getClassLoader().getResourceAsStream(type.getName().replace('.', '/') + ".class")) {
      return Objects.requireNonNull(bytes, type.getName()).readAllBytes();
    }
  }

  private static void redefine(Class<?> type, byte[] bytes)
      throws ClassNotFoundException, UnmodifiableClassException {
    Objects.requireNonNull(instrumentation, "started without the agent")
        .redefineClasses(new ClassDefinition(type, bytes));
  }
}
