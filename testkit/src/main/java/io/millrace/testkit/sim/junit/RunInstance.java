package io.millrace.testkit.sim.junit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExecutableInvoker;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * The object for one run. Runs go at once, so each run has an object of its own, and an object of
 * each class that encloses its class. Made by the constructor, as JUnit makes test instances.
 * Methods before and after each test run before and after each run. Fields that extensions fill
 * stay empty.
 */
final class RunInstance {
  private final ExecutableInvoker invoker;
  private final List<Object> all = new ArrayList<>();

  private RunInstance(ExecutableInvoker invoker) {
    this.invoker = invoker;
  }

  /**
   * Creates the objects of a run.
   *
   * @throws IllegalStateException if the class says that all its tests share one object
   */
  static RunInstance of(ExtensionContext context) {
    RunInstance made = new RunInstance(context.getExecutableInvoker());
    for (Object junits : context.getRequiredTestInstances().getAllInstances()) {
      made.add(junits.getClass());
    }
    return made;
  }

  /**
   * Refuses a class whose tests share an object: its runs would share this object at the same time.
   */
  static void requireOneForEach(ExtensionContext context) {
    boolean isShared =
        context
            .getTestInstanceLifecycle()
            .filter(lifecycle -> lifecycle == TestInstance.Lifecycle.PER_CLASS)
            .isPresent();
    if (isShared) {
      throw new IllegalStateException(
          context.getRequiredTestClass().getName()
              + " has one object for all tests (PER_CLASS), but each run of a @SimulationTest needs"
              + " an object of its own, since runs go at the same time; leave out PER_CLASS");
    }
  }

  private void add(Class<?> type) {
    @Nullable Object outer = all.isEmpty() ? null : all.getLast();
    boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    // JUnit has made an instance already, so the class has exactly one constructor.
    Constructor<?> constructor = type.getDeclaredConstructors()[0];
    all.add(
        isInner && outer != null
            ? invoker.invoke(constructor, outer)
            : invoker.invoke(constructor));
  }

  /** The object with the test method. */
  Object innermost() {
    return all.getLast();
  }

  /** Calls the methods for before each test; methods of enclosing classes and parents go first. */
  void before() {
    for (Object each : all) {
      AnnotationSupport.findAnnotatedMethods(
              each.getClass(), BeforeEach.class, HierarchyTraversalMode.TOP_DOWN)
          .forEach(method -> invoke(method, each));
    }
  }

  /** Calls the methods for after each test, in the reverse order. */
  void after() {
    for (Object each : all.reversed()) {
      AnnotationSupport.findAnnotatedMethods(
              each.getClass(), AfterEach.class, HierarchyTraversalMode.BOTTOM_UP)
          .forEach(method -> invoke(method, each));
    }
  }

  private void invoke(Method method, Object target) {
    var _ = invoker.invoke(method, target);
  }
}
