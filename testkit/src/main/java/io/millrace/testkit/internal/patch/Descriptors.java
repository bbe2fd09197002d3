package io.millrace.testkit.internal.patch;

import java.lang.constant.ClassDesc;

/** The classes that rewritten code names. */
final class Descriptors {
  static final ClassDesc CALLS = ClassDesc.of(SimulatedCalls.class.getName());
  static final ClassDesc WAITS = ClassDesc.of(SimulatedWaits.class.getName());
  static final ClassDesc GENERATORS = ClassDesc.of(GeneratorCalls.class.getName());
  static final ClassDesc CALENDARS = ClassDesc.of(CalendarCalls.class.getName());
  static final ClassDesc THREAD_CALLS = ClassDesc.of(ThreadRandomCalls.class.getName());
  static final ClassDesc RANDOM = ClassDesc.of("java.util.Random");
  static final ClassDesc THREAD_RANDOM = ClassDesc.of("java.util.concurrent.ThreadLocalRandom");
  static final ClassDesc EXECUTOR = ClassDesc.of("java.util.concurrent.Executor");
  static final ClassDesc CLOCK = ClassDesc.of("java.time.Clock");
  static final ClassDesc ZONE = ClassDesc.of("java.time.ZoneId");

  private Descriptors() {}
}
