package io.millrace.testkit.cluster;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each test of this class, or this test, gets a {@link Cluster} of fresh JVMs as its parameter.
 * When the test ends, the cluster kills its JVMs. The test fails if a node has failed and the test
 * did not notice. A failed test prints the output of all nodes. The annotation of a method wins
 * over the annotation of its class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(ClusterExtension.class)
public @interface ClusterTest {
  /** Number of JVMs, called {@code node1} to {@code nodeN}, unless names are given. */
  int jvms() default 3;

  /** Names of the JVMs, in place of a number. */
  String[] names() default {};

  /** Heap of each JVM, MiB. */
  int heapMb() default 128;

  /** Flags of each JVM, after the usual ones. */
  String[] jvmFlags() default {};

  /** Flags of single JVMs, after the flags of all JVMs: {@code "NAME: FLAG FLAG..."} each. */
  String[] nodeFlags() default {};

  /** Limit of waits without a limit of their own, s. */
  int limitSeconds() default 30;
}
