@NullMarked
package io.millrace.samples.bench.burst;

import org.jspecify.annotations.NullMarked;
