package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.millrace.tree.ArchitectureTest.CLASSES;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.reflect.AccessFlag;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Code that runs on a worker takes no lock: no {@code synchronized}, no {@code Lock}. Some classes
 * lock in packages of which a worker runs parts; these classes are the rows of a table in {@code
 * docs/concurrency.md}, which says for each class when a worker may come to its lock.
 */
final class LocksTest {
  private static final String TABLE = "## Locks that a worker may meet";
  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| ([^|]+) \\|");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  /** Nothing here locks. */
  private static final String[] ON_A_WORKER = {
    "io.millrace.actor..",
    "io.millrace.body..",
    "io.millrace.path..",
    "io.millrace.loop..",
    "io.millrace.nic..",
    "io.millrace.ends..",
    "io.millrace.worker..",
    "io.millrace.buffer..",
    "io.millrace.driver..",
    "io.millrace.protocol..",
    "io.millrace.udp..",
    "io.millrace.wire.."
  };

  /** A worker runs parts of these packages, too, and some of their classes lock. */
  private static final String[] PARTLY_ON_A_WORKER = {
    "io.millrace.engine..",
    "io.millrace.api..",
    "io.millrace.crypto..",
    "io.millrace.efa..",
    "io.millrace.event..",
    "io.millrace.handshake.."
  };

  private static final DescribedPredicate<JavaClass> LOCKS =
      resideInAPackage("java.util.concurrent.locks..")
          .and(DescribedPredicate.not(name("java.util.concurrent.locks.LockSupport")));

  @Test
  void shouldTakeNoLockOnAWorker() {
    noClasses()
        .that()
        .resideInAnyPackage(ON_A_WORKER)
        .should()
        .dependOnClassesThat(LOCKS)
        .check(CLASSES);
  }

  @Test
  void shouldEnterNoMonitorOnAWorker() {
    classes().that().resideInAnyPackage(ON_A_WORKER).should(enterNoMonitor()).check(CLASSES);
  }

  @Test
  void shouldHaveAReasonForEveryOtherLock() {
    SortedSet<String> found = new TreeSet<>();
    for (JavaClass each : CLASSES) {
      if (resideInAnyPackage(PARTLY_ON_A_WORKER).test(each) && locks(each)) {
        found.add(outermost(each));
      }
    }
    assertEquals(explained(), found, "classes that lock, as documented and as compiled");
  }

  private static SortedSet<String> explained() {
    String text = SourceTree.current().file("docs/concurrency.md").orElseThrow().text();
    SortedSet<String> names = new TreeSet<>();
    FIRST_CELL
        .matcher(text.substring(text.indexOf(TABLE)))
        .results()
        .flatMap(cell -> NAME.matcher(cell.group(1)).results())
        .forEach(name -> names.add(name.group(1)));
    return names;
  }

  private static boolean locks(JavaClass item) {
    return item.getDirectDependenciesFromSelf().stream()
            .anyMatch(each -> LOCKS.test(each.getTargetClass()))
        || ClassFile.of().parse(bytesOf(item)).methods().stream()
            .anyMatch(LocksTest::entersMonitor);
  }

  private static String outermost(JavaClass item) {
    String name = item.getName().substring(item.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static ArchCondition<JavaClass> enterNoMonitor() {
    return new ArchCondition<>("enter no monitor") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        for (MethodModel method : ClassFile.of().parse(bytesOf(item)).methods()) {
          if (entersMonitor(method)) {
            String where = item.getName() + "." + method.methodName().stringValue();
            events.add(SimpleConditionEvent.violated(item, where + " is synchronized"));
          }
        }
      }
    };
  }

  private static boolean entersMonitor(MethodModel method) {
    return method.flags().has(AccessFlag.SYNCHRONIZED)
        || method.code().stream()
            .flatMap(code -> code.elementStream())
            .anyMatch(
                element ->
                    element instanceof MonitorInstruction monitor
                        && monitor.opcode() == Opcode.MONITORENTER);
  }

  private static byte[] bytesOf(JavaClass item) {
    try (InputStream in = item.getSource().orElseThrow().getUri().toURL().openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
