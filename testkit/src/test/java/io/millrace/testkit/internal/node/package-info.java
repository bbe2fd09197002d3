/** Tests of simulated nodes. */
@NullMarked
package io.millrace.testkit.internal.node;

import org.jspecify.annotations.NullMarked;
