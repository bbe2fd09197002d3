package io.millrace.testkit.internal.patch;

import java.util.List;
import java.util.stream.Stream;

/**
 * The packages whose classes are rewritten, together with all subpackages.
 *
 * @param names dotted names
 */
public record PatchedPackages(List<String> names) {
  /** The packages that every simulation needs: Pekko and the futures of Scala. */
  public static final PatchedPackages DEFAULT =
      new PatchedPackages(List.of("org.apache.pekko", "scala.concurrent"));

  /** Checks and copies the names. */
  public PatchedPackages {
    names = List.copyOf(names);
    for (String name : names) {
      if (name.isBlank() || name.contains("/") || name.endsWith(".")) {
        throw new IllegalArgumentException("not the name of a package: '" + name + "'");
      }
    }
  }

  /** Returns these packages and other packages. */
  public PatchedPackages with(List<String> others) {
    return new PatchedPackages(Stream.concat(names.stream(), others.stream()).distinct().toList());
  }

  /**
   * Whether the class is to be rewritten.
   *
   * @param className dotted or as in class files
   */
  public boolean includes(String className) {
    String dotted = className.replace('/', '.');
    return names.stream().anyMatch(x -> dotted.startsWith(x + "."));
  }
}
