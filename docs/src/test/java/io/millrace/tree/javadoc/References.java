package io.millrace.tree.javadoc;

import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Judges references of visible comments by the classes of this build. */
final class References {
  private static final String OURS = "io.millrace.";
  private static final String LANG = "java.lang.";

  private final Set<String> packages;

  /**
   * Creates a judge.
   *
   * @param packages the packages whose public types a user sees
   */
  References(Set<String> packages) {
    this.packages = packages;
  }

  /** Returns the problem of a reference in a comment of this type, or null. */
  @Nullable String problem(String around, String signature, Map<String, String> imports) {
    String plain = signature.replaceAll("<.*>", "");
    int hash = plain.indexOf('#');
    String name = hash < 0 ? plain : plain.substring(0, hash);
    Class<?> type = name.isEmpty() ? load(around) : resolve(name, around, imports);
    if (type == null) {
      return packages.contains(plain) ? null : "names no type";
    }
    if (!isVisible(type)) {
      return "names a type that users do not see";
    }
    String member = hash < 0 ? "" : plain.substring(hash + 1).replaceAll("(?s)\\(.*", "");
    boolean isThere = member.isEmpty() || hasMember(type, member);
    if (name.isEmpty()) { // of the type around the comment, or of a type further outside
      for (Class<?> outer = type.getEnclosingClass(); outer != null; ) {
        isThere |= hasMember(outer, member);
        outer = outer.getEnclosingClass();
      }
    }
    return isThere ? null : "names a member that users do not see";
  }

  private boolean isVisible(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    int modifiers = type.getModifiers();
    boolean isOpen =
        Modifier.isPublic(modifiers) || outer != null && Modifier.isProtected(modifiers);
    return isOpen
        && (outer == null || isVisible(outer))
        && (!type.getName().startsWith(OURS) || packages.contains(type.getPackageName()));
  }

  private static boolean hasMember(Class<?> type, String name) {
    boolean isConstructor = name.equals(type.getSimpleName());
    return isConstructor
        || supers(type)
            .flatMap(
                each ->
                    Stream.<Member>concat(
                        Arrays.stream(each.getDeclaredMethods()),
                        Arrays.stream(each.getDeclaredFields())))
            .filter(member -> member.getName().equals(name))
            .mapToInt(Member::getModifiers)
            .anyMatch(found -> Modifier.isPublic(found) || Modifier.isProtected(found));
  }

  /** The type, its super classes and all their interfaces. */
  private static Stream<Class<?>> supers(Class<?> type) {
    List<Class<?>> all = new ArrayList<>(List.of(type));
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).getSuperclass() != null) {
        all.add(all.get(i).getSuperclass());
      }
      all.addAll(List.of(all.get(i).getInterfaces()));
    }
    return all.stream();
  }

  private static @Nullable Class<?> resolve(
      String name, String around, Map<String, String> imports) {
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    String rest = dot < 0 ? "" : name.substring(dot).replace('.', '$');
    for (String outer : outers(around)) {
      Class<?> nested = load(outer + "$" + first + rest);
      if (nested != null) {
        return nested;
      }
    }
    String own = around.substring(0, around.lastIndexOf('.') + 1);
    List<String> prefixes =
        List.of(imports.getOrDefault(first, ""), own + first, around + "." + first, LANG + first);
    for (String each : prefixes) {
      Class<?> found = load(each + rest);
      if (found != null) {
        return found;
      }
    }
    return qualified(name);
  }

  /** The type and the types around it, with their super types: all may hold a nested type. */
  private static List<String> outers(String around) {
    List<String> outers = new ArrayList<>();
    for (Class<?> each = load(around); each != null; each = each.getEnclosingClass()) {
      supers(each).map(Class::getName).forEach(outers::add);
    }
    return outers;
  }

  private static @Nullable Class<?> qualified(String name) {
    String tried = name;
    while (true) {
      Class<?> found = load(tried);
      int dot = tried.lastIndexOf('.');
      if (found != null || dot < 0) {
        return found;
      }
      tried = tried.substring(0, dot) + "$" + tried.substring(dot + 1);
    }
  }

  private static @Nullable Class<?> load(String name) {
    try {
      return Class.forName(name, false, References.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }
}
