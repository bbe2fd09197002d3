@NullMarked
package io.millrace.telemetry.kamon;

import org.jspecify.annotations.NullMarked;
