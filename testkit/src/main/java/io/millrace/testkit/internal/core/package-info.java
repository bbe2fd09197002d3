/**
 * The heart of the simulator: virtual time, the events of a run, and every random decision as a
 * function of the seed.
 */
@NullMarked
package io.millrace.testkit.internal.core;

import org.jspecify.annotations.NullMarked;
