/** What encrypted bulk costs on the same cores with no protocol around it. */
@NullMarked
package io.millrace.samples.bench.floor;

import org.jspecify.annotations.NullMarked;
