@NullMarked
package io.millrace.samples.bench.burst.shape;

import org.jspecify.annotations.NullMarked;
