package io.millrace.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What an application sees of Millrace is in its signatures: nothing of the engine is. */
final class ApiSurfaceTest {
  private static final List<String> ENGINE =
      List.of(
          "io.millrace.actor.",
          "io.millrace.protocol.",
          "io.millrace.wire.",
          "io.millrace.crypto.",
          "io.millrace.buffer.");

  /** Below this the test has looked at nothing. */
  private static final int FEWEST_TYPES = 30;

  /** Types of the API beside the parts of others; a new one should be worth learning. */
  private static final int MOST_TYPES = 50;

  private static final int MOST_OF_AN_ACTOR = 2;

  private static List<JavaClass> visible(String prefix) {
    return ArchitectureTest.CLASSES.stream()
        .filter(type -> type.getPackageName().startsWith(prefix))
        .filter(ApiSurfaceTest::isVisible)
        .toList();
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(ApiSurfaceTest::isVisible).orElse(true);
  }

  private static boolean isVisible(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static Stream<JavaType> types(JavaCodeUnit unit) {
    return Stream.concat(
        Stream.of(unit.getReturnType()),
        Stream.concat(
            unit.getParameterTypes().stream(),
            unit.getTypeParameters().stream().flatMap(each -> each.getUpperBounds().stream())));
  }

  private static Stream<JavaType> superTypes(JavaClass type) {
    return Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream());
  }

  private static void note(Set<String> found, JavaClass type, String member, Stream<JavaType> of) {
    of.flatMap(each -> each.getAllInvolvedRawTypes().stream())
        .map(JavaClass::getBaseComponentType)
        .filter(each -> ENGINE.stream().anyMatch(each.getName()::startsWith))
        .forEach(each -> found.add(type.getName() + "." + member + ": " + each.getName()));
  }

  @Test
  void shouldShowNoTypeOfTheEngine() {
    Set<String> found = new TreeSet<>();
    List<JavaClass> types = new ArrayList<>(visible("io.millrace.api"));
    types.addAll(visible("io.millrace.transfer"));
    types.addAll(visible("io.millrace.node"));
    for (JavaClass type : types) {
      note(found, type, "its super types", superTypes(type));
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (isVisible(unit.getModifiers())) {
          note(found, type, unit.getName(), types(unit));
        }
      }
      for (JavaField field : type.getFields()) {
        if (isVisible(field.getModifiers())) {
          note(found, type, field.getName(), Stream.of(field.getType()));
        }
      }
    }
    assertTrue(types.size() >= FEWEST_TYPES, () -> "saw only " + types.size() + " types");
    assertEquals(Set.of(), found);
  }

  @Test
  void shouldStaySmall() {
    long types = visible("io.millrace.api").stream().filter(JavaClass::isTopLevelClass).count();
    assertTrue(types <= MOST_TYPES, () -> types + " types");
    assertEquals(MOST_OF_AN_ACTOR, visible("io.millrace.api.actor").size());
  }
}
