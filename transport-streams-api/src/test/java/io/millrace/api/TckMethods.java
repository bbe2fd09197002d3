package io.millrace.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

/**
 * The checks of one verification of the TCK as tests of JUnit. Left out are the checks that the TCK
 * itself declares impossible, and the option of many subscribers to one run of a publisher, which a
 * stream does not have.
 */
final class TckMethods {
  private static final List<String> LEFT_OUT = List.of("untested_", "optional_spec111_");

  private TckMethods() {}

  /**
   * Returns a test for each check, each on a verification of its own.
   *
   * @param checks the expected number of checks, so a missing check is noticed
   */
  static Stream<DynamicTest> of(int checks, Supplier<?> verification) {
    List<Method> found =
        with(Test.class, verification.get())
            .filter(method -> LEFT_OUT.stream().noneMatch(method.getName()::startsWith))
            .toList();
    assertEquals(checks, found.size(), () -> "checks that were found: " + found);
    return found.stream()
        .map(method -> DynamicTest.dynamicTest(method.getName(), () -> run(verification, method)));
  }

  private static Stream<Method> with(Class<? extends Annotation> annotation, Object verification) {
    return Stream.of(verification.getClass().getMethods())
        .filter(method -> method.isAnnotationPresent(annotation))
        .sorted(Comparator.comparing(Method::getName));
  }

  private static void run(Supplier<?> verification, Method method) throws Throwable {
    Object instance = verification.get();
    callAll(BeforeClass.class, instance);
    try {
      callAll(BeforeMethod.class, instance);
      call(method, instance);
    } finally {
      callAll(AfterClass.class, instance);
    }
  }

  private static void callAll(Class<? extends Annotation> annotation, Object instance)
      throws Throwable {
    for (Method method : with(annotation, instance).toList()) {
      call(method, instance);
    }
  }

  private static void call(Method method, Object instance) throws Throwable {
    try {
      method.invoke(instance);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
