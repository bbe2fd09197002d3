package io.millrace.samples.cli;

import java.io.PrintStream;

/**
 * Where a command writes: results to {@code out}, progress and errors to {@code err}.
 *
 * @param out results; its last line is the JSON object when one was asked for
 * @param err progress and errors
 * @param isLive {@code err} is a terminal, so that a progress line may be written over
 */
record Screen(PrintStream out, PrintStream err, boolean isLive) {}
