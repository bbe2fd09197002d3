package io.millrace.tree.javadoc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** The comments that users see name types that users see, and no document that lies in no jar. */
final class JavadocTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern GROUP = Pattern.compile("(?m)^-group \"[^\"]+\" \"([^\"]+)\"$");
  private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");

  /** Libraries whose packages are all for users. */
  private static final String API = "transport-streams-api";

  /** Fewer comments than this number mean that the test has looked at nothing. */
  private static final int FEWEST_COMMENTS = 1_000;

  /** Collects findings. */
  private static final class Findings implements VisibleJavadoc.Reader {
    private final List<String> found = new ArrayList<>();
    private final References references;
    private int comments;

    private Findings(Set<String> packages) {
      references = new References(packages);
    }

    @Override
    public void onComment(String type, String text) {
      comments++;
      if (text.contains(".md")) {
        found.add(type + ": a document that is in no jar");
      }
    }

    @Override
    public void onReference(String type, String signature, Map<String, String> imports) {
      String problem = references.problem(type, signature, imports);
      if (problem != null) {
        found.add(type + ": " + signature + " " + problem);
      }
    }
  }

  private static Set<String> packages() throws IOException {
    return GROUP
        .matcher(Files.readString(ROOT.resolve(".mvn/javadoc.args")))
        .results()
        .flatMap(group -> Stream.of(group.group(1).split(":")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Path> folders() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map((MatchResult module) -> ROOT.resolve(module.group(1)).resolve("src/main/java"))
        .filter(Files::isDirectory)
        .toList();
  }

  private static List<Path> sources(String name) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path folder : folders()) {
      Path directory = folder.resolve(name.replace('.', '/'));
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.list(directory)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
    }
    return sources;
  }

  @Test
  void shouldNameOnlyWhatUsersSee() throws IOException {
    Set<String> packages = packages();
    List<Path> sources = new ArrayList<>();
    for (String each : packages) {
      List<Path> found = sources(each);
      assertTrue(!found.isEmpty(), () -> "no source of " + each);
      sources.addAll(found);
    }
    Findings findings = new Findings(packages);
    try (var files =
        ToolProvider.getSystemJavaCompiler()
            .getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      VisibleJavadoc.read(files.getJavaFileObjectsFromPaths(sources), findings);
    }
    assertTrue(findings.comments > FEWEST_COMMENTS, () -> findings.comments + " comments");
    assertEquals("", String.join("\n", new TreeSet<>(findings.found)));
  }

  /** A library for applications has no package that the site leaves out. */
  @Test
  void shouldShowEveryPackageOfTheApi() throws IOException {
    Set<String> left = new TreeSet<>();
    for (Path folder : folders()) {
      if (folder.startsWith(ROOT.resolve(API))) {
        try (Stream<Path> files = Files.walk(folder)) {
          files
              .filter(file -> file.endsWith("package-info.java"))
              .map(file -> folder.relativize(file.getParent()).toString().replace('/', '.'))
              .forEach(left::add);
        }
      }
    }
    left.removeAll(packages());
    assertEquals(Set.of(), left);
  }

  private static JavaFileObject planted(String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///io/millrace/api/Planted.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }

  @Test
  void shouldFindPlantedReferences() throws IOException {
    String source =
        """
        package io.millrace.api;
        import io.millrace.engine.TransportPool;
        import io.millrace.transfer.Headers;
        /** Fine: {@link Peer}, {@link Peer#unary}, {@link Headers#EMPTY}, {@link String#length()}. */
        public final class Planted {
          /** {@link Coding}, {@link TransportPool}, {@link Peer#nobody}, {@link Nowhere}. */
          public void a() {}
          /** See docs/x.md.
           * @throws OpenCalls never */
          protected void b() {}
          /** Nobody sees {@link Coding} and docs/x.md. */
          private void c() {}
          /** {@link Coding} */
          private static final class Inner { /** {@link Coding} */ public void d() {} }
        }
        """;
    Findings findings = new Findings(packages());
    VisibleJavadoc.read(List.of(planted(source)), findings);

    String name = "io.millrace.api.Planted: ";
    assertEquals(
        List.of(
            name + "Coding names a type that users do not see",
            name + "TransportPool names a type that users do not see",
            name + "Peer#nobody names a member that users do not see",
            name + "Nowhere names no type",
            name + "a document that is in no jar",
            name + "OpenCalls names a type that users do not see"),
        findings.found);
  }
}
