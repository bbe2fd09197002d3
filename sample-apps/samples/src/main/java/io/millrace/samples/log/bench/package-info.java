/** Commits per second of the replicated log. */
@NullMarked
package io.millrace.samples.log.bench;

import org.jspecify.annotations.NullMarked;
