@NullMarked
package io.millrace.samples.bench.start;

import org.jspecify.annotations.NullMarked;
