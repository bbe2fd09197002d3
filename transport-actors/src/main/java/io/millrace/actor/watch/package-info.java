/** Notices workers that hang. */
@NullMarked
package io.millrace.actor.watch;

import org.jspecify.annotations.NullMarked;
