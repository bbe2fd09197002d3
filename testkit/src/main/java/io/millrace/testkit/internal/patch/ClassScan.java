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
 * than its seed. A call is in order when the agent rewrote the call, when the call fails in a
 * simulation, or when a list knows the call. One thread.
 */
public final class ClassScan {
  private static final String HINT =
      "Use a rewritten call, tell the agent the package (packages=com.acme;org.foo), or name the"
          + " call as KIND CLASS REASON.";

  private final PatchedPackages packages;
  private final ClassPatcher patcher;
  private final List<CallSite> left = new ArrayList<>();
  private int classes;
  private int rewritten;
  private int refused;

  /**
   * Creates an empty scan.
   *
   * @param packages the packages that the agent would rewrite
   * @param loader finds the superclasses of scanned classes
   */
  public ClassScan(PatchedPackages packages, ClassLoader loader) {
    this.packages = packages;
    patcher = new ClassPatcher(loader);
  }

  /**
   * Returns a scan of the jars and folders with these classes, as the agent of this JVM rewrites
   * the classes: for the test of an application.
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
   * Returns a scan of jars and folders.
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

  /** Adds a class, by the name of its file below the root of its packages. */
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

  /** Returns the number of scanned classes: a scan without classes finds nothing wrong. */
  public int classes() {
    return classes;
  }

  /** Returns the number of classes that the agent would rewrite. */
  public int rewritten() {
    return rewritten;
  }

  /** Returns the number of calls that would fail in a simulation instead of being made. */
  public int refused() {
    return refused;
  }

  /**
   * Returns the calls that would stay as in the source, in the order of classes within each
   * location.
   */
  public List<CallSite> left() {
    return List.copyOf(left);
  }

  /**
   * Fails on each call that the simulator does not control, and on each line that describes no
   * call.
   *
   * @param known calls that may stay, {@code KIND[,KIND] CLASS REASON} each, as in {@link
   *     KnownCalls}
   * @throws AssertionError with a line for each call, or if the scan found no class
   * @throws IllegalArgumentException naming the line that describes no call
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

  /**
   * Returns the problems, a line each: calls that the list does not know, and lines of the list
   * that match no call.
   */
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
