package io.millrace.tree;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A module descriptor of the tree, read as text.
 *
 * @param artifact the folder of the artifact
 * @param module the name of the module
 * @param exports the exported packages, each with the modules that may use the package; none for
 *     everybody
 * @param provides the services, each with the classes of its providers
 */
record Descriptor(
    String artifact,
    String module,
    Map<String, Set<String>> exports,
    Map<String, List<String>> provides) {
  private static final String FILE = "/src/main/module/module-info.java";
  private static final Pattern MODULE = Pattern.compile("(?m)^module ([\\w.]+) \\{");
  private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+)(?:\\s+to\\s+([^;]+))?;");
  private static final Pattern PROVIDE = Pattern.compile("provides ([\\w.]+)\\s+with\\s+([^;]+);");

  static List<Descriptor> all(SourceTree tree) {
    return tree.javaFiles().stream()
        .filter(file -> file.path().endsWith(FILE))
        .map(file -> of(file.path().replace(FILE, ""), file.text()))
        .toList();
  }

  private static Descriptor of(String artifact, String text) {
    Map<String, Set<String>> exports = new TreeMap<>();
    EXPORT
        .matcher(text)
        .results()
        .forEach(found -> exports.put(found.group(1), Set.copyOf(names(found.group(2)))));
    Map<String, List<String>> provides = new TreeMap<>();
    PROVIDE
        .matcher(text)
        .results()
        .forEach(found -> provides.put(found.group(1), names(found.group(2))));
    String module =
        MODULE.matcher(text).results().findFirst().map(found -> found.group(1)).orElseThrow();
    return new Descriptor(artifact, module, exports, provides);
  }

  private static List<String> names(@Nullable String list) {
    return list == null ? List.of() : Stream.of(list.split(",", -1)).map(String::strip).toList();
  }

  /** The packages for everybody. */
  Set<String> open() {
    return exports.entrySet().stream()
        .filter(each -> each.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Whether another module may use a package of this module. */
  boolean lets(String user, String name) {
    Set<String> users = exports.get(name);
    return users != null && (users.isEmpty() || users.contains(user));
  }
}
