package io.millrace.tree;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The visible part of packages: public types, and the types that their signatures name. */
final class Surface {
  private Surface() {}

  /** The public types of the packages whose names begin with this prefix. */
  static List<JavaClass> visible(String prefix) {
    return ArchitectureTest.CLASSES.stream()
        .filter(type -> type.getPackageName().startsWith(prefix))
        .filter(Surface::isVisible)
        .toList();
  }

  static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(Surface::isVisible).orElse(true);
  }

  /**
   * The types with this prefix that the signatures of these types name: in their super types, and
   * in members that may be called, overridden or read.
   */
  static Set<String> named(Collection<JavaClass> types, List<String> prefixes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : types) {
      note(found, prefixes, type.getName() + ".its super types", superTypes(type));
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (isVisible(unit.getModifiers())) {
          note(found, prefixes, type.getName() + "." + unit.getName(), types(unit));
        }
      }
      for (JavaField field : type.getFields()) {
        if (isVisible(field.getModifiers())) {
          String member = type.getName() + "." + field.getName();
          note(found, prefixes, member, Stream.of(field.getType()));
        }
      }
    }
    return found;
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static Stream<JavaType> types(JavaCodeUnit unit) {
    Stream<JavaType> bounds =
        unit.getTypeParameters().stream().flatMap(each -> each.getUpperBounds().stream());
    Stream<JavaType> thrown =
        unit.getThrowsClause().stream().map(declaration -> (JavaType) declaration.getRawType());
    return Stream.of(
            Stream.of(unit.getReturnType()), unit.getParameterTypes().stream(), bounds, thrown)
        .flatMap(each -> each);
  }

  private static Stream<JavaType> superTypes(JavaClass type) {
    return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
  }

  private static void note(
      Set<String> found, List<String> prefixes, String member, Stream<JavaType> of) {
    of.flatMap(each -> each.getAllInvolvedRawTypes().stream())
        .map(JavaClass::getBaseComponentType)
        .filter(each -> prefixes.stream().anyMatch(each.getName()::startsWith))
        .forEach(each -> found.add(member + ": " + each.getName()));
  }
}
