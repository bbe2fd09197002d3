/** The machines of the replicated log: no clock, thread, socket or file. */
@NullMarked
package io.millrace.samples.log.core;

import org.jspecify.annotations.NullMarked;
