/**
 * {@code millrace bench burst}: thousands of transfers at once from hundreds of peers through one
 * bottleneck, over Millrace and over what it is compared with.
 *
 * <p>The bottleneck is real: three network namespaces, senders, router and receiver, and a token
 * bucket with a short queue on the router. Each side runs in JVMs of its own there.
 */
@NullMarked
package io.millrace.samples.bench.burst;

import org.jspecify.annotations.NullMarked;
