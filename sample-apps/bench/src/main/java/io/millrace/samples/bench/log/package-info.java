/**
 * Other replicated logs, which {@code millrace log bench} compares with the log of this project.
 */
@NullMarked
package io.millrace.samples.bench.log;

import org.jspecify.annotations.NullMarked;
