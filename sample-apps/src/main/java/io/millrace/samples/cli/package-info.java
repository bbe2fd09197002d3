/** The {@code millrace} command: one small class for each of its commands. */
@NullMarked
package io.millrace.samples.cli;

import org.jspecify.annotations.NullMarked;
