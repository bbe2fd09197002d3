/** grpc-java as a peer of {@code millrace bench}. */
@NullMarked
package io.millrace.samples.bench.grpc;

import org.jspecify.annotations.NullMarked;
