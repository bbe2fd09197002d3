/** Tests of the floor. */
@NullMarked
package io.millrace.samples.bench.floor;

import org.jspecify.annotations.NullMarked;
