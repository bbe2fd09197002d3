/**
 * Metrics made of events, handed to Kamon. Kamon is an optional dependency: an application that
 * uses this package names {@code io.kamon:kamon-core_2.13} itself.
 */
@NullMarked
package io.millrace.telemetry.kamon;

import org.jspecify.annotations.NullMarked;
