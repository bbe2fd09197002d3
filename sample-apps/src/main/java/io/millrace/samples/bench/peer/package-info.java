/**
 * What every transport under comparison implements, and the work that it is given: the peers' side
 * of {@code millrace bench}, which knows neither the peers nor the report.
 */
@NullMarked
package io.millrace.samples.bench.peer;

import org.jspecify.annotations.NullMarked;
