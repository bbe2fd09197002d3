/** The metrics of a transport as meters of Micrometer. */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;
