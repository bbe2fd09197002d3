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
 * When the test ends, they are killed; it fails if a node has failed and the test did not notice,
 * and whenever it fails the output of all nodes is printed. What a method says wins over its class.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(ClusterExtension.class)
public @interface ClusterTest {
  /** How many JVMs, called {@code node1} to {@code nodeN}, unless there are names. */
  int jvms() default 3;

  /** Names of the JVMs, in place of a number. */
  String[] names() default {};

  /** Heap of each JVM, MiB. */
  int heapMb() default 128;

  /** Flags of each JVM, after the usual ones. */
  String[] jvmFlags() default {};

  /** Flags of single JVMs, after those of all: {@code "NAME: FLAG FLAG..."} each. */
  String[] nodeFlags() default {};

  /** How long a wait takes that was given no limit of its own, s. */
  int limitSeconds() default 30;
}
