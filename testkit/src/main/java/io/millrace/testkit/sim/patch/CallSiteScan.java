package io.millrace.testkit.sim.patch;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Looks through classes, as the agent leaves them, for calls that make a simulation depend on more
 * than its seed. A call is in order when it was rewritten, when it fails in a simulation, or when a
 * list knows it. One thread.
 */
public final class CallSiteScan {
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
  public CallSiteScan(PatchedPackages packages, ClassLoader loader) {
    this.packages = packages;
    patcher = new ClassPatcher(loader);
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
      List<Path> found = files.filter(CallSiteScan::isClass).sorted().toList();
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

  /** What is wrong, a line each: calls that the list does not know, lines of it that match none. */
  public List<String> problems(KnownCalls known) {
    List<String> problems = new ArrayList<>();
    for (CallSite site : left) {
      if (!known.contains(site)) {
        problems.add("not rewritten and not known: " + site);
      }
    }
    known.unused().forEach(x -> problems.add("known but not there: " + x));
    return problems;
  }
}
