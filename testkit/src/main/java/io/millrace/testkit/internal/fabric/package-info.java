/**
 * A simulated fabric: messages and one-sided writes between registered memories, with everything
 * that real ones do to those who rely on order, fences and room. It takes its delays, losses and
 * partitions from the links of a {@link io.millrace.testkit.internal.net.SimNetwork}.
 */
@NullMarked
package io.millrace.testkit.internal.fabric;

import org.jspecify.annotations.NullMarked;
