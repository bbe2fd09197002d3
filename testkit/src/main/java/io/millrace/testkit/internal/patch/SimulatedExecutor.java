package io.millrace.testkit.internal.patch;

import java.util.concurrent.ExecutorService;

/** An executor of a simulation: a wait for its end passes in virtual time. */
public interface SimulatedExecutor extends ExecutorService {}
