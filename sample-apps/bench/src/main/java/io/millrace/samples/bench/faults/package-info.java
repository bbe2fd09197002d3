/**
 * {@code millrace bench faults}: the errors and delays that an application sees when a part of the
 * system fails, over Millrace and over other transports.
 *
 * <p>The faults are real: processes are killed and stopped, and packets dropped between two network
 * namespaces. Each side runs there in JVMs of its own.
 */
@NullMarked
package io.millrace.samples.bench.faults;

import org.jspecify.annotations.NullMarked;
