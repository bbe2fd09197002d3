/**
 * {@code millrace bench faults}: what an application sees when something fails, and after how long,
 * over Millrace and over what it is compared with.
 *
 * <p>The faults are real: processes are killed and stopped, and packets dropped between two network
 * namespaces. Each side runs in JVMs of its own there.
 */
@NullMarked
package io.millrace.samples.bench.faults;

import org.jspecify.annotations.NullMarked;
