/** Tests of the other logs. */
@NullMarked
package io.millrace.samples.bench.log;

import org.jspecify.annotations.NullMarked;
