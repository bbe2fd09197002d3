package io.millrace.testkit.sim.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * This method is a scenario with a single parameter, the {@link io.millrace.testkit.sim.SimRun}.
 * The extension calls the method once for each seed, several seeds at once. Each run has an
 * instance of the class for itself, so the method may use instance fields, but no static fields.
 * The method may depend on nothing but the run.
 *
 * <p>A run that breaks a rule, or in which the method throws, fails the test. The extension makes
 * the run smaller first. The message shows the remainder of the run, and how to repeat and to keep
 * this remainder. {@code -Dmillrace.sim.seed=N} runs one seed twice, since both runs must be the
 * same. {@code -Dmillrace.sim.keep=...} keeps only the named parts of this run. {@code
 * -Dmillrace.sim.seeds=A..B} runs other seeds than the annotation says. {@code
 * -Dmillrace.sim.pcap=FOLDER} writes the datagrams of a failing run to this folder.
 *
 * <p>If the resource {@code CLASS.METHOD.seeds} lies beside the class, the runs named in this
 * resource go first. The JVM must have the simulator's agent; the message of a run without the
 * agent says how.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Test
@ExtendWith(SimulationExtension.class)
public @interface SimulationTest {
  /**
   * The seeds: {@code A..B}, both included, or a single seed, or {@code commit+N}, N other seeds
   * with each commit. The seeds of a commit begin with the first ten digits of its hash, read as a
   * number, and the test prints the seeds. Without a clone to read the commit from and without the
   * property {@code millrace.sim.commit}, the seeds are always the same. Where the property {@code
   * millrace.soak} is a number N, every range has N times as many seeds.
   */
  String[] seeds() default "1..100";

  /** Runs at once; 0 is a run for each processor. */
  int threads() default 0;

  /**
   * How long one run may take, in real time, s; 0 is for ever. A longer run fails the test, and the
   * message says where its thread is. The property {@code millrace.sim.patience} wins.
   */
  int patienceSeconds() default 60;

  /** Runs to make a failing run smaller, at most. */
  int shrinkRuns() default 500;
}
