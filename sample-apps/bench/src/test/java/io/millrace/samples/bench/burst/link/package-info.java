@NullMarked
package io.millrace.samples.bench.burst.link;

import org.jspecify.annotations.NullMarked;
