/** The ways between application threads and workers: rings to a worker, lanes to an executor. */
@NullMarked
package io.millrace.actor.submission;

import org.jspecify.annotations.NullMarked;
