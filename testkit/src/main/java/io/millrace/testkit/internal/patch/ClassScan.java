package io.millrace.testkit.internal.patch;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Looks through classes, as the agent leaves them, for calls that make a simulation depend on more
 * than its seed. A call is in order when it was rewritten, when it fails in a simulation, or when a
 * list knows it. One thread.
 */
public final class ClassScan {
  private static final String HINT =
      "Use what is rewritten, tell the agent the package (packages=com.acme;org.foo), or name the"
          + " call as KIND CLASS REASON.";

  private final PatchedPackages packages;
  private final ClassPatcher patcher;
  private final List<CallSite> left = new ArrayList<>();
  private int classes;
  private int rewritten;
  private int refused;

  /**
   * A scan of nothing yet.
   *
   * @param packages what the agent would rewrite
   * @param loader finds the superclasses of what is scanned
   */
  public ClassScan(PatchedPackages packages, ClassLoader loader) {
    this.packages = packages;
    patcher = new ClassPatcher(loader);
  }

  /**
   * A scan of all that lies where these classes come from, a jar or a folder each, as the agent of
   * this JVM rewrites it: for the test of an application.
   *
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public static ClassScan of(Class<?>... samples) throws IOException {
    Set<Path> locations = new LinkedHashSet<>();
    for (Class<?> sample : samples) {
      locations.add(location(sample));
    }
    return of(locations.toArray(Path[]::new));
  }

  /**
   * The same of jars and folders.
   *
   * @throws IllegalStateException if this JVM runs without the simulator's agent
   */
  public static ClassScan of(Path... locations) throws IOException {
    ClassScan scan =
        new ClassScan(PatchAgent.packages(), Thread.currentThread().getContextClassLoader());
    for (Path location : locations) {
      scan.add(location);
    }
    return scan;
  }

  private static Path location(Class<?> sample) {
    CodeSource source = sample.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalArgumentException(sample.getName() + " comes from no jar or folder");
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(sample.getName() + " comes from no file", e);
    }
  }

  /** Adds the classes of a jar or of a folder. */
  public void add(Path location) throws IOException {
    if (Files.isDirectory(location)) {
      addFolder(location);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(location)) {
      addFolder(jar.getPath("/"));
    }
  }

  private void addFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> found = files.filter(ClassScan::isClass).sorted().toList();
      for (Path file : found) {
        addClass(folder.relativize(file).toString(), Files.readAllBytes(file));
      }
    }
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".class") && !file.toString().endsWith("module-info.class");
  }

  /** Adds one class, by the name of its file below the root of its packages. */
  void addClass(String file, byte[] bytes) {
    classes++;
    byte[] patched = packages.includes(file) ? patcher.patch(bytes) : null;
    if (patched != null) {
      rewritten++;
    }
    CallSites.find(patched == null ? bytes : patched, this::found);
  }

  private void found(CallSite site) {
    if (site.refused()) {
      refused++;
    } else {
      left.add(site);
    }
  }

  /** How many classes were seen: a scan of none finds nothing wrong. */
  public int classes() {
    return classes;
  }

  /** How many of them the agent would rewrite. */
  public int rewritten() {
    return rewritten;
  }

  /** How many calls would fail in a simulation instead of being made. */
  public int refused() {
    return refused;
  }

  /** The calls that would be made as they are, in the order of classes within each location. */
  public List<CallSite> left() {
    return List.copyOf(left);
  }

  /**
   * Fails on each call that the simulator does not control, and on each line that knows none.
   *
   * @param known calls that may stay, {@code KIND[,KIND] CLASS REASON} each, as in {@link
   *     KnownCalls}
   * @throws AssertionError with a line for each call, or if there was no class to look at
   * @throws IllegalArgumentException which names the line that is none
   */
  public void requireControlled(String... known) {
    if (classes == 0) {
      throw new AssertionError("there was no class to look at");
    }
    List<String> problems = problems(KnownCalls.of(Stream.of(known)));
    if (!problems.isEmpty()) {
      throw new AssertionError(String.join("\n", problems) + "\n" + HINT);
    }
  }

  /** What is wrong, a line each: calls that the list does not know, lines of it that match none. */
  public List<String> problems(KnownCalls known) {
    List<String> problems = new ArrayList<>();
    for (CallSite site : left) {
      if (!known.contains(site)) {
        String why =
            packages.includes(site.className()) ? "" : ", whose package the agent is not told";
        problems.add("not rewritten and not known: " + site + why);
      }
    }
    known.unused().forEach(x -> problems.add("known but not there: " + x));
    return problems;
  }
}
