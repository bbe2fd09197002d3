/**
 * The interfaces of every transport under comparison, and the loads: the transports' side of {@code
 * millrace bench}, which knows neither the transports nor the report.
 */
@NullMarked
package io.millrace.samples.bench.peer;

import org.jspecify.annotations.NullMarked;
