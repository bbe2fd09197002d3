package io.millrace.testkit.internal.patch;

import java.util.concurrent.ExecutorService;

/** An executor of a simulation: who waits for its end waits in virtual time. */
public interface SimulatedExecutor extends ExecutorService {}
