@NullMarked
package io.millrace.samples.bench.burst.simulated;

import org.jspecify.annotations.NullMarked;
