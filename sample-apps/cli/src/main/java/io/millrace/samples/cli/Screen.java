package io.millrace.samples.cli;

import java.io.PrintStream;

/**
 * The outputs of a command: results go to {@code out}, progress and errors to {@code err}.
 *
 * @param out results; its last line is the JSON object if wanted
 * @param err progress and errors
 * @param isLive whether {@code err} is a terminal, so that a progress line may be written over
 */
record Screen(PrintStream out, PrintStream err, boolean isLive) {}
