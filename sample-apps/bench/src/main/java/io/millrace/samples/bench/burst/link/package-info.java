/** The bottleneck of a burst: a model of the link, counters over time, and planned losses. */
@NullMarked
package io.millrace.samples.bench.burst.link;

import org.jspecify.annotations.NullMarked;
