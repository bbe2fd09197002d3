@NullMarked
package io.millrace.samples.bench.faults;

import org.jspecify.annotations.NullMarked;
