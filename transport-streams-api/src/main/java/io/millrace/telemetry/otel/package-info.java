/** Traces by OpenTelemetry, whose API is an optional dependency. */
@NullMarked
package io.millrace.telemetry.otel;

import org.jspecify.annotations.NullMarked;
