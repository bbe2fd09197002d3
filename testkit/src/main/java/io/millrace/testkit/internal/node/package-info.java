/** Simulated nodes: an actor system per life, its executors, its clock, and its death. */
@NullMarked
package io.millrace.testkit.internal.node;

import org.jspecify.annotations.NullMarked;
