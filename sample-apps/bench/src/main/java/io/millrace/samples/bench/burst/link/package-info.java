/** The bottleneck of a burst: its model, its counters over time, its losses. */
@NullMarked
package io.millrace.samples.bench.burst.link;

import org.jspecify.annotations.NullMarked;
