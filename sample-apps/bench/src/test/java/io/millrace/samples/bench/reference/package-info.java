@NullMarked
package io.millrace.samples.bench.reference;

import org.jspecify.annotations.NullMarked;
