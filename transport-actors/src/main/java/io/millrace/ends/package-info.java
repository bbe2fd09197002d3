/** The ways between application threads and workers: rings to a worker, lanes to an executor. */
@NullMarked
package io.millrace.ends;

import org.jspecify.annotations.NullMarked;
