/** rsocket-java as a peer of {@code millrace bench}. */
@NullMarked
package io.millrace.samples.bench.rsocket;

import org.jspecify.annotations.NullMarked;
