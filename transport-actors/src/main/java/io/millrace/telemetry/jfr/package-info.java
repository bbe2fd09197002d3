/** Events in recordings of the JVM's Flight Recorder, under the category Millrace. */
@NullMarked
package io.millrace.telemetry.jfr;

import org.jspecify.annotations.NullMarked;
