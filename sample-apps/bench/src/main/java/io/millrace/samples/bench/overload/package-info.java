/** The overload curve: completed calls and latencies under 1 to 10 times the possible load. */
@NullMarked
package io.millrace.samples.bench.overload;

import org.jspecify.annotations.NullMarked;
