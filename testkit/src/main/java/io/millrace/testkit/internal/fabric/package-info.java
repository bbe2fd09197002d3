/**
 * A simulated fabric: messages and one-sided writes between registered memories, with all the
 * surprises of real fabrics for users who rely on order, fences and room. Delays, losses and
 * partitions come from the links of a {@link io.millrace.testkit.internal.net.SimNetwork}.
 */
@NullMarked
package io.millrace.testkit.internal.fabric;

import org.jspecify.annotations.NullMarked;
