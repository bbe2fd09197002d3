/** The {@code millrace} command: a small class for each subcommand. */
@NullMarked
package io.millrace.samples.cli;

import org.jspecify.annotations.NullMarked;
