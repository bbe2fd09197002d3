/**
 * {@code millrace bench burst}: thousands of transfers at once from hundreds of peers through one
 * bottleneck, over Millrace and over other transports.
 *
 * <p>The bottleneck is real: three network namespaces, senders, router and receiver, and a token
 * bucket with a short queue on the router. Each side runs there in JVMs of its own.
 */
@NullMarked
package io.millrace.samples.bench.burst;

import org.jspecify.annotations.NullMarked;
