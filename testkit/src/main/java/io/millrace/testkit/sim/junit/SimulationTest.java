package io.millrace.testkit.sim.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * This method is a scenario: it has one parameter, the {@link io.millrace.testkit.sim.SimRun}, and
 * is called once for each seed, several at once and on one instance of its class, so it may keep
 * nothing in fields. Nothing that it does may depend on anything but the run.
 *
 * <p>A run that breaks a rule, or in which the method throws, fails the test. It is made smaller
 * first; the message says what is left, how to run that again and how to keep it: {@code
 * -Dmillrace.sim.seed=N} runs one seed, twice, since both must be the same run, {@code
 * -Dmillrace.sim.keep=...} leaves out all else, {@code -Dmillrace.sim.seeds=A..B} runs other seeds
 * than the annotation says, and {@code -Dmillrace.sim.pcap=FOLDER} writes the datagrams of a
 * failing run there.
 *
 * <p>If the resource {@code CLASS.METHOD.seeds} lies beside the class, the runs that it names are
 * run first. The JVM must have the simulator's agent; the message of a run without it says how.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Test
@ExtendWith(SimulationExtension.class)
public @interface SimulationTest {
  /**
   * Which seeds: {@code A..B}, both included, or one, or {@code commit+N}, which are N others with
   * each commit: they begin with the first ten digits of its hash, read as a number. The test
   * prints which they were. They are always the same where there is no clone to read the commit
   * from, and the property {@code millrace.sim.commit} does not name it either. Where the property
   * {@code millrace.soak} is a number N, every range has N times as many seeds.
   */
  String[] seeds() default "1..100";

  /** Runs at once; 0 is one for each processor. */
  int threads() default 0;

  /**
   * How long one run may take, in real time, s; 0 is for ever. A run that takes longer fails the
   * test, which says where its thread is. The property {@code millrace.sim.patience} wins.
   */
  int patienceSeconds() default 60;

  /** Runs to make a failing one smaller, at most. */
  int shrinkRuns() default 500;
}
