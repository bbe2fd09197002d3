package io.millrace.tree;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static io.millrace.tree.ArchitectureTest.CLASSES;

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
import org.junit.jupiter.api.Test;

/** Whatever runs on a worker takes no lock: no {@code synchronized}, no {@code Lock}. */
final class LocksTest {
  /** The control plane, {@code io.millrace.actor.pool}, may lock. */
  private static final String[] ON_A_WORKER = {
    "io.millrace.actor.dispatcher..",
    "io.millrace.actor.peer..",
    "io.millrace.actor.submission..",
    "io.millrace.actor.worker..",
    "io.millrace.protocol..",
    "io.millrace.wire.."
  };

  @Test
  void shouldTakeNoLockOnAWorker() {
    DescribedPredicate<JavaClass> locks =
        resideInAPackage("java.util.concurrent.locks..")
            .and(DescribedPredicate.not(name("java.util.concurrent.locks.LockSupport")));
    noClasses()
        .that()
        .resideInAnyPackage(ON_A_WORKER)
        .should()
        .dependOnClassesThat(locks)
        .check(CLASSES);
  }

  @Test
  void shouldEnterNoMonitorOnAWorker() {
    classes().that().resideInAnyPackage(ON_A_WORKER).should(enterNoMonitor()).check(CLASSES);
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
